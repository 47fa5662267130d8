import { copiedAtOnceMax, copiedBeforeMilliseconds } from '../../operator/limits.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { nextCommand, outputOf, type Stack } from '../../operator/stack/stack.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { InterruptedError, type Stop } from '../stop-signal.ts';
import { timeText } from './plan.ts';

interface Copying {
  /** The table that the stack used before. */
  readonly from: string;
  /** The time that was restored, in milliseconds since the epoch. */
  readonly at: number;
  readonly options: CommonOptions & { readonly dryRun?: true };
  readonly stop: Stop;
}

/**
 * Copies the rows of events that the table in use lacks: a restored table does not hold what came after its
 * time. Overwrites no row, so it may be repeated.
 */
export async function copyRows(
  session: Session,
  stack: Stack,
  { from, at, options, stop }: Copying,
): Promise<ExitCode> {
  const { terminal, input } = session;
  const { openTables } = await import('../../operator/aws/tables.ts');
  const tables = openTables(stack);
  const into = outputOf(stack, 'EventsTableName');
  const since = at - copiedBeforeMilliseconds;
  const what = `the events since ${timeText(since)} from ${from} into ${into}`;
  if (!options.dryRun) await input.confirm(`Copy ${what}, without overwriting any?`, options);
  let [found, copied] = [0, 0];
  for await (const rows of tables.rowsSince(from, new Date(since).toISOString())) {
    for (let first = 0; first < rows.length; first += copiedAtOnceMax) {
      if (stop.signal.aborted) throw new InterruptedError('The same command copies the rest.');
      const some = rows.slice(first, first + copiedAtOnceMax);
      const added = options.dryRun ? [] : await Promise.all(some.map((row) => tables.addRow(into, row)));
      found += some.length;
      copied += added.filter((isNew) => isNew).length;
      terminal.progress(`${found} rows, ${copied} copied …`);
    }
  }
  const proof = nextCommand(stack, `payhooks reconcile --since ${timeText(since)}`);
  return show(session, options, {
    document: { from, into, since: timeText(since), found, copied, next: [proof] },
    print() {
      if (options.dryRun)
        return terminal.print(`${found} rows would be copied if they are missing: ${what}.`);
      terminal.print(`${copied} of ${found} rows were missing and are copied: ${what}.`);
      terminal.print(`To prove that no event is missing:\n  ${proof}`);
    },
  });
}
