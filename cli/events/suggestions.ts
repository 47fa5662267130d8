import type { StoredEventRecord } from '@payhooks/order-client';
import { isInOrderOfEvent } from '../../operator/in-order-of-event.ts';
import { inOneOrder, waitingSentences } from '../../operator/sentences/waiting-sentences.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import type { EventDetails } from './records.ts';

interface Suggestion {
  readonly meaning: string;
  /** Without the option that names the stack. */
  readonly command: string;
}

interface Given {
  readonly body?: true;
  readonly sandbox?: true;
}

/** What to type next about an event: how to see its bodies, and how to judge each record that waits. */
export function suggestedCommands({ id, records }: EventDetails, given: Given): readonly Suggestion[] {
  const sandbox = given.sandbox ? ' --sandbox' : '';
  const waiting = records.filter((record) => record.waiting !== null);
  const judgements = waiting.flatMap((record): readonly Suggestion[] => {
    const subject = subjectOf(id, record, waiting.length > 1);
    const { admitIf, dismissIf } = waitingSentences[record.waiting ?? 'conflict'];
    const order = id !== null && record.order_id === null ? ' --order ORDER' : '';
    const command = `payhooks events dismiss ${subject}${sandbox}`;
    // With several bodies the reader must know which one a command is about.
    const which = waiting.length > 1 ? `${record.body_sha256?.slice(0, 12)}…: ` : '';
    if (isInOrderOfEvent(record, records)) return [{ meaning: `${which}${inOneOrder}:`, command }];
    return [
      { meaning: `${which}${admitIf}:`, command: `payhooks events admit ${subject}${order}${sandbox}` },
      { meaning: `${which}${dismissIf}:`, command },
    ];
  });
  if (judgements.length === 0 || given.body || id === null) return judgements;
  const command = `payhooks events show ${shellQuoted(id)} --body${sandbox}`;
  return [{ meaning: 'To see the bodies, which hold customer data:', command }, ...judgements];
}

function subjectOf(id: string | null, { body_sha256 }: StoredEventRecord, isAmbiguous: boolean): string {
  const hash = `--body-sha256 ${body_sha256}`;
  if (id === null) return hash;
  return isAmbiguous ? `${shellQuoted(id)} ${hash}` : shellQuoted(id);
}
