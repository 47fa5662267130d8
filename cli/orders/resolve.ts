import type { Attention, Order } from '@payhooks/order-client';
import { openOrderQuery } from '../../operator/apis.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import type { ActOptions } from '../acts/options.ts';
import { runAct } from '../acts/run-act.ts';
import { chosenMode } from '../options.ts';
import type { Session } from '../session.ts';
import { printState, printWaiting } from './print-order.ts';

interface ResolveOptions extends ActOptions {
  readonly attention?: readonly Attention[];
}

/** Ends attentions of an order as the operator sees it: a change in the meantime refuses the act. */
export function resolveAttention(session: Session, id: string, options: ResolveOptions): Promise<ExitCode> {
  const mode = chosenMode(options);
  return runAct(session, options, async (stack) => {
    const query = openOrderQuery(stack);
    const order = await query.order(id, { mode });
    const attention = chosenOf(order, options);
    if (!options.json) {
      printState(session.terminal, order);
      // What waits may be why the order needs attention; it is judged by itself.
      printWaiting(session.terminal, { stack, mode }, (await query.orderEvents(id, { mode })).waiting);
      session.terminal.print('');
    }
    return { act: 'resolve', mode, order_id: id, sequence: order.sequence, attention };
  });
}

/** One attention needs no name; of several, the operator names those that were judged. */
function chosenOf(
  { order_id, attention: listed }: Order,
  { attention }: ResolveOptions,
): readonly Attention[] {
  if (attention !== undefined) return attention;
  if (listed.length === 1) return listed;
  const order = printable(order_id);
  if (listed.length === 0) {
    throw new CommandError('failed', `${order} lists no attention: there is nothing to resolve.`);
  }
  const message = `${order} lists ${listed.join(', ')}. Name those that you have judged with --attention.`;
  throw new CommandError('wrongUsage', message);
}
