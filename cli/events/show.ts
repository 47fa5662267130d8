import type { EventBodies, EventRecords, OperationsClient, StoredEventRecord } from '@payhooks/order-client';
import { openOperations } from '../../operator/apis.ts';
import { isInOrderOfEvent } from '../../operator/in-order-of-event.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { inOneOrder, waitingSentences } from '../../operator/sentences/waiting-sentences.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { chosenMode } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { type EventDetails, printRecords } from './records.ts';

interface ShowOptions extends CommonOptions {
  readonly body?: true;
  readonly bodySha256?: string;
  readonly sandbox?: true;
}

export async function showEvent(
  session: Session,
  id: string | undefined,
  options: ShowOptions,
): Promise<ExitCode> {
  const { terminal } = session;
  if (id === undefined && options.bodySha256 === undefined) {
    throw new CommandError('wrongUsage', 'Give the id of an event, or --body-sha256 for a body without one.');
  }
  if (id !== undefined && options.bodySha256 !== undefined && !options.body) {
    throw new CommandError('wrongUsage', 'With an id, --body-sha256 selects one of its bodies: add --body.');
  }
  const stack = await createTarget(session, options).stack();
  const operations = openOperations(stack);
  const mode = chosenMode(options);
  const details = await read(operations, id, { ...options, mode });
  return show(session, options, {
    document: details,
    print() {
      printRecords(terminal, details);
      const commands = suggestedCommands(details, options);
      if (commands.length > 0) terminal.print('');
      for (const { meaning, command } of commands) {
        terminal.print(meaning);
        terminal.print(`  → ${nextCommand(stack, command)}`);
      }
    },
  });
}

/** A body without an id is customer data at once: nothing else is known of it. */
async function read(
  operations: OperationsClient,
  id: string | undefined,
  { body, bodySha256, mode }: ShowOptions & { readonly mode: 'live' | 'sandbox' },
): Promise<EventRecords | EventBodies> {
  if (id === undefined) return operations.unrecognisedBody(`${bodySha256}`, { mode });
  if (body) return operations.bodies(id, { mode, body_sha256: bodySha256 });
  return operations.event(id, { mode });
}

interface Suggestion {
  readonly meaning: string;
  /** Without the option that names the stack. */
  readonly command: string;
}

/** What to type next about an event: how to see its bodies, and how to judge each record that waits. */
function suggestedCommands({ id, records }: EventDetails, given: ShowOptions): readonly Suggestion[] {
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
