import type { VerifyResult } from '@payhooks/order-client';
import { replayEventsMax } from '../../lambdas/contract/operations-limits.ts';
import { openOperations } from '../../operator/apis.ts';
import { runSegments } from '../../operator/limits.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { addRunOptions, type RunOptions } from '../acts/options.ts';
import { interruptible, pagesOf } from '../acts/pages.ts';
import { runAct } from '../acts/run-act.ts';
import { type CommandSetup, chosenMode, examplesOf } from '../options.ts';
import { type Session, show } from '../session.ts';

interface RebuildOptions extends RunOptions {
  readonly verify?: true;
}

export function define({ command, action }: CommandSetup): void {
  addRunOptions(
    command.option(
      '--verify',
      'only compare every order and row with the stored readings; exit code 1 if any differ',
    ),
  )
    .addHelpText(
      'after',
      `
Computes orders and rows from the stored readings and judgements. No body is read again: a new
version, or a new meaning of an event name, takes effect with payhooks replay. It reads both tables as a
whole: about one read unit for each event and each 4 KB. --verify changes nothing and asks nothing.
Needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('rebuild --verify', 'rebuild --rate 50 --reason "after a restore"')}`,
    )
    .action(
      action((session, options: RebuildOptions) =>
        options.verify
          ? verifyOrders(session, options)
          : runAct(session, options, { act: 'replay', mode: chosenMode(options), readings: 'stored' }),
      ),
    );
}

type Difference = VerifyResult['differences'][number];

/** Compares every order and row with what the stored readings make of it, and names those that differ. */
function verifyOrders(session: Session, options: RunOptions): Promise<ExitCode> {
  const mode = chosenMode(options);
  return interruptible(session, async (stop) => {
    const operations = openOperations(await session.stack(options));
    const pages: VerifyResult[] = [];
    try {
      await pagesOf(session, { ...options, stop })({
        async request(place) {
          const page = await operations.verify({ mode, ...place }, { signal: stop.signal });
          pages.push(page);
          return page;
        },
        handled: ({ compared }) => compared.events,
        doing: 'Comparing',
        done: 'changed',
        segments: runSegments,
        isOfTables: true,
        // The orders come in further pages.
        hasAllEvents: ({ compared }) => compared.events < replayEventsMax,
        isPreview: true,
      });
    } catch (error) {
      // The command that goes on does not come back to these pages.
      if (differencesOf(pages).length > 0) report(session, pages, options);
      throw error;
    }
    return report(session, pages, options);
  });
}

/** The comparison of events and that of orders may find the same difference. */
function differencesOf(pages: readonly VerifyResult[]): readonly Difference[] {
  const found = pages.flatMap((page) => page.differences);
  const keyOf = ({ kind, order_id, event_id }: Difference) => JSON.stringify([kind, order_id, event_id]);
  const first = new Map(found.toReversed().map((one) => [keyOf(one), one]));
  return [...first.values()].toReversed();
}

function report(session: Session, pages: readonly VerifyResult[], options: RunOptions): ExitCode {
  const compared = {
    events: pages.reduce((sum, page) => sum + page.compared.events, 0),
    orders: pages.reduce((sum, page) => sum + page.compared.orders, 0),
  };
  const differences = differencesOf(pages);
  return show(session, options, {
    document: { mode: chosenMode(options), compared, differences },
    print: () => print(session, compared, differences),
    exitCode: differences.length === 0 ? exitCodes.done : exitCodes.failed,
  });
}

function print(
  { terminal }: Session,
  { events, orders }: VerifyResult['compared'],
  differences: readonly Difference[],
): void {
  if (differences.length === 0) {
    terminal.print(
      `No difference: ${orders} orders are what their events make of them; ${events} events compared.`,
    );
    return;
  }
  terminal.table(
    ['DIFFERENCE', 'ORDER', 'EVENT'],
    differences.map(({ kind, order_id, event_id }) => [kind, order_id ?? '-', event_id ?? '-']),
  );
  terminal.note(`${differences.length} differences. What a repair would change: payhooks rebuild --dry-run`);
}
