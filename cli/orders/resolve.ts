import type { Attention, Order } from '@payhooks/order-client';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { openOrderQuery } from '../../operator/order-query.ts';
import { printable } from '../../operator/printable.ts';
import { type ActOptions, runAct } from '../acts/run-act.ts';
import { chosenMode } from '../mode.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { printState } from './print-order.ts';
import { printWaiting } from './waiting.ts';

interface ResolveOptions extends ActOptions {
  readonly attention?: readonly Attention[];
}

/** Ends attentions of an order as the operator sees it: a change in the meantime refuses the act. */
export async function resolveAttention(
  session: Session,
  id: string,
  options: ResolveOptions,
): Promise<ExitCode> {
  const mode = chosenMode(options);
  const stack = await createTarget(session, options).stack();
  const query = openOrderQuery(stack);
  const order = await query.order(id, { mode });
  const attention = chosenOf(order, options);
  if (!options.json) {
    printState(session.terminal, order);
    // What waits may be why the order needs attention; it is judged by itself.
    printWaiting(session.terminal, { stack, mode }, (await query.orderEvents(id, { mode })).waiting);
    session.terminal.print('');
  }
  const { sequence } = order;
  return runAct(session, options, {
    stack,
    request: { act: 'resolve', mode, order_id: id, sequence, attention },
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
