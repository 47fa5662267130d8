import type { VerifyResult } from '@payhooks/order-client';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { openOperations } from '../operations.ts';
import { printOrderChanges } from '../order-changes.ts';
import { interruptible, requestPages } from '../pages.ts';
import { shellQuoted } from '../printable.ts';
import type { RunOptions } from '../replay/run-options.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';

type Difference = VerifyResult['differences'][number];

/** Compares every order with the fold of its events, and names those that differ. */
export function verifyOrders(session: Session, options: RunOptions): Promise<ExitCode> {
  const { sandbox, rate, resume, stack, json } = options;
  const mode = sandbox ? 'sandbox' : 'live';
  return interruptible(session, async (stop) => {
    const operations = openOperations(await createTarget(session, options).stack());
    const pages = await requestPages(session, stop, {
      request: (place) => operations.verify({ mode, ...place }),
      cursor: resume,
      rate,
      handled: ({ compared }) => compared.events,
      doing: 'Comparing',
      resume: (cursor) =>
        `payhooks rebuild --verify --resume ${cursor}${stack ? ` --stack ${shellQuoted(stack)}` : ''}` +
        (sandbox ? ' --sandbox' : ''),
    });
    const compared = {
      events: pages.reduce((sum, page) => sum + page.compared.events, 0),
      orders: pages.reduce((sum, page) => sum + page.compared.orders, 0),
    };
    const differences = pages.flatMap((page) => page.differences);
    if (json) session.terminal.json({ mode, compared, differences });
    else print(session, compared, differences);
    return differences.length === 0 ? exitCodes.done : exitCodes.failed;
  });
}

function print(
  { terminal }: Session,
  { events, orders }: VerifyResult['compared'],
  differences: readonly Difference[],
): void {
  if (differences.length === 0) {
    terminal.print(
      `No difference: ${orders} orders equal the fold of their events; ${events} events compared.`,
    );
    return;
  }
  terminal.table(
    ['DIFFERENCE', 'ORDER', 'EVENT'],
    differences.map(({ kind, order_id, event_id }) => [kind, order_id ?? '-', event_id ?? '-']),
  );
  terminal.print('');
  const changes = differences.flatMap(({ order_id, before, after }) =>
    order_id === null || after === null || before?.sequence === after.sequence
      ? []
      : [{ order_id, before, after }],
  );
  const byOrder = new Map(changes.map((change) => [change.order_id, change]));
  if (byOrder.size > 0) printOrderChanges(terminal, [...byOrder.values()]);
  terminal.note(`${differences.length} differences. To repair what a replay can: payhooks rebuild --dry-run`);
}
