import type { EventBodies, EventRecords, OperationsClient, StoredEventRecord } from '@payhooks/order-client';
import { moneyText } from '../../lambdas/domain/money-text.ts';
import { actorsOf } from '../../operator/acts/act.ts';
import { openOperations } from '../../operator/apis.ts';
import { isInOrderOfEvent } from '../../operator/in-order-of-event.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { inOneOrder, replayIf, waitingSentences } from '../../operator/sentences/waiting-sentences.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { chosenMode } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { printBody, printWrapped, type Terminal } from '../terminal.ts';

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
  const stack = await session.stack(options);
  const operations = openOperations(stack);
  const mode = chosenMode(options);
  const details = await read(operations, id, { ...options, mode });
  return show(session, options, {
    document: details,
    print: () => printDetails(terminal, stack, details, options),
  });
}

/** What is stored under an id, and what to type next. */
export function printDetails(terminal: Terminal, stack: Stack, details: EventDetails, given: ShowOptions) {
  printRecords(terminal, details);
  const commands = suggestedCommands(details, given);
  if (commands.length > 0) terminal.print('');
  for (const { meaning, command } of commands) {
    printWrapped(terminal, meaning);
    terminal.print(`  → ${nextCommand(stack, command, details.mode)}`);
  }
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
  /** Without the options that name stack and mode. */
  readonly command: string;
}

/** What to type next about an event: how to see its bodies, and how to judge each record that waits. */
function suggestedCommands({ id, records }: EventDetails, given: ShowOptions): readonly Suggestion[] {
  const waiting = records.filter((record) => record.waiting !== null);
  const judgements = waiting.flatMap((record): readonly Suggestion[] => {
    const subject = subjectOf(id, record, waiting.length > 1);
    const { admitIf, dismissIf } = waitingSentences[record.waiting ?? 'conflict'];
    const order = id !== null && record.order_id === null ? ' --order ORDER' : '';
    const command = `payhooks events dismiss ${subject}`;
    // With several bodies the reader must know which one a command is about.
    const which = waiting.length > 1 ? `${record.body_sha256?.slice(0, 12)}…: ` : '';
    if (isInOrderOfEvent(record, records)) {
      const orderId = shellQuoted(`${record.order_id}`);
      const resolve = `payhooks orders resolve ${orderId} --attention conflicting_event`;
      const clear = { meaning: 'Then clear the warning of its order:', command: resolve };
      return [{ meaning: `${which}${inOneOrder}:`, command }, clear];
    }
    const replay = `payhooks replay --since ${record.received_at}`;
    return [
      { meaning: `${which}${admitIf}:`, command: `payhooks events admit ${subject}${order}` },
      { meaning: `${which}${dismissIf}:`, command },
      ...(record.waiting === 'unassigned' ? [{ meaning: `${replayIf}:`, command: replay }] : []),
    ];
  });
  if (judgements.length === 0 || given.body || id === null) return judgements;
  const command = `payhooks events show ${shellQuoted(id)} --body`;
  return [{ meaning: 'To see the bodies, which hold customer data:', command }, ...judgements];
}

function subjectOf(id: string | null, { body_sha256 }: StoredEventRecord, isAmbiguous: boolean): string {
  const hash = `--body-sha256 ${body_sha256}`;
  if (id === null) return hash;
  return isAmbiguous ? `${shellQuoted(id)} ${hash}` : shellQuoted(id);
}

/** What was received under an event id, with or without bodies. */
interface EventDetails extends Pick<EventRecords, 'mode' | 'acts'> {
  /** `null` for a body that is not an event. */
  readonly id: string | null;
  readonly records: readonly (StoredEventRecord & { readonly body_base64?: string | null })[];
  /** Whether more bodies are stored. */
  readonly more?: boolean;
}

/** Each record under an id, with its body if it was requested; then the acts. */
function printRecords(terminal: Terminal, { id, mode, records, acts, more }: EventDetails): void {
  const count = records.length === 1 ? '1 record' : `${records.length} records`;
  terminal.print(`${terminal.style('bold', printable(id ?? 'A body without an id'))} (${mode}): ${count}`);
  for (const record of records) {
    const facts = Object.entries(factsOf(record));
    terminal.print('');
    terminal.table(
      [record.record, ''],
      facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
    if (record.body_base64 != null) printBody(terminal, Buffer.from(record.body_base64, 'base64'));
  }
  if (more) terminal.print('More bodies are stored: select one with --body-sha256.');
  if (acts.length === 0) return;
  terminal.print('');
  terminal.table(
    ['AT', 'ACT', 'BY', 'REASON'],
    acts.map((done) => [done.at, done.act, actorsOf(done), done.reason]),
  );
}

function factsOf(record: StoredEventRecord): Readonly<Record<string, string | null>> {
  const { outcome, reason, waiting, counts, body_sha256, has_body, erased, judged } = record;
  const state = erased === null ? (has_body ? '' : ', expired') : `, erased ${erased.at}`;
  return {
    outcome: reason === null ? outcome : `${outcome}: ${reason}`,
    waits: waiting === null ? 'no' : `as ${waiting}`,
    counts: counts ? 'yes, in its order' : 'no',
    event: record.event_name,
    money: moneyText(record) ?? null,
    order: record.order_id,
    transaction: record.transaction_id,
    received: record.received_at,
    key: record.key_id,
    body: `${body_sha256}${state}`,
    judged: judged === null ? null : `${judged.verdict} ${judged.at}`,
  };
}
