import type { ReplayResult } from '@payhooks/order-client';
import { runAct } from '../act.ts';
import type { ExitCode } from '../command-error.ts';
import { chosenMode } from '../mode.ts';
import { openOperations } from '../operations.ts';
import type { OrderChange } from '../order-changes.ts';
import { interruptible, requestPages } from '../pages.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import type { ReplayOptions } from './run-options.ts';

/** Shows what a replay would change, asks, and replays. */
export function replayEvents(session: Session, options: ReplayOptions): Promise<ExitCode> {
  return interruptible(session, async (stop) => {
    const operations = openOperations(await createTarget(session, options).stack());
    const { event, order, since, until, publish, rate } = options;
    let total: number | undefined;
    return runAct(session, options, {
      async perform({ dry_run, reason }) {
        const pages = await requestPages(session, stop, {
          request: (place) =>
            operations.replay({
              mode: chosenMode(options),
              dry_run,
              ...(reason !== undefined && { reason }),
              ...(event !== undefined && { event_id: event }),
              ...(order !== undefined && { order_id: order }),
              ...(since !== undefined && place.cursor === undefined && { since }),
              ...(until !== undefined && place.cursor === undefined && { until }),
              ...(publish && { publish }),
              // A cursor holds the time of its run.
              ...(event === undefined ? place : {}),
            }),
          cursor: options.resume,
          rate,
          handled: ({ replayed, left }) => replayed + left.length,
          doing: dry_run ? 'Comparing' : 'Replaying',
          total,
          isPreview: dry_run,
        });
        const whole = wholeOf(pages);
        total = whole.replayed + whole.left.length;
        if (!dry_run && !options.json) session.terminal.print(describe(whole, 'replayed'));
        return whole;
      },
      consequence: (preview) => describe(preview, 'would be replayed'),
      unchanged: (preview) => describe(preview, 'would be replayed'),
      question: 'Replay them?',
      done: 'Done.',
    });
  });
}

type Whole = Omit<ReplayResult, 'next_cursor'>;

/** One result for all pages; an order of several pages from its first `before` to its last `after`. */
function wholeOf(pages: readonly ReplayResult[]): Whole {
  const [first] = pages;
  if (first === undefined) throw new TypeError('A run has at least one page.');
  const { next_cursor: _, ...whole } = first;
  const orders = new Map<string, ReplayResult['orders'][number]>();
  for (const change of pages.flatMap((page) => page.orders)) {
    const { before } = orders.get(change.order_id) ?? change;
    orders.set(change.order_id, { ...change, before });
  }
  return {
    ...whole,
    changed: pages.some(({ changed }) => changed),
    events: pages.flatMap(({ events }) => events),
    orders: [...orders.values()],
    replayed: pages.reduce((sum, { replayed }) => sum + replayed, 0),
    left: pages.flatMap(({ left }) => left),
  };
}

function describe(
  { replayed, left, orders }: Whole & { readonly orders: readonly OrderChange[] },
  verb: string,
) {
  const reasons = Map.groupBy(left, ({ reason }) => reason);
  const kinds = [...reasons].map(([reason, events]) => `${events.length} ${reason}`);
  const kept = left.length === 0 ? '' : ` Left as they are: ${kinds.join(', ')}.`;
  const events = replayed === 1 ? '1 event' : `${replayed} events`;
  return `${events} ${verb}; orders that change: ${orders.length}.${kept}`;
}
