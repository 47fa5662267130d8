import type { Attention, Order } from '@payhooks/order-client';
import { Option } from 'commander';
import { attentions } from '../../lambdas/domain/attention.ts';
import { orderStatuses } from '../../lambdas/domain/fold-order.ts';
import { attentionFilters } from '../../lambdas/order-query/cursor.ts';
import { openOrderQuery } from '../../operator/apis.ts';
import { listedOrdersDefault, listedOrdersMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { type ActOptions, addActOptions } from '../acts/options.ts';
import { runAct } from '../acts/run-act.ts';
import { type CommandSetup, chosenMode, examplesOf, sandboxOption, wholeNumber } from '../options.ts';
import type { Session } from '../session.ts';
import { pastInstant } from '../times.ts';
import { listOrders } from './list.ts';
import { printState, printWaiting } from './print-order.ts';
import { type ShowOptions, showOrder } from './show.ts';

const permission = '\nNeeds execute-api:Invoke on the output OrderQueryInvokeArn. It shows no customer data.';

export function define({ command: orders, action }: CommandSetup): void {
  orders
    .command('show', { isDefault: true })
    .description(
      'Show what happened to an order: money, attention, events, what waits, and acts of operators',
    )
    .argument('[id]', "the merchant's id of the order; without it, the latest orders are listed")
    .addOption(sandboxOption())
    .addHelpText('after', `${permission}\n${examplesOf('orders show order-1001', 'order order-1001')}`)
    .action(
      action((session, id: string | undefined, options: ShowOptions) =>
        id === undefined
          ? listOrders(session, { ...options, limit: listedOrdersDefault })
          : showOrder(session, id, options),
      ),
    );

  orders
    .command('list')
    .description('List orders, the newest change first')
    .addOption(new Option('--status <status>', 'only those of this status').choices(orderStatuses))
    .addOption(
      new Option('--attention [name]', 'only those that a person must look at, or with this attention')
        .choices(attentionFilters)
        .preset('any'),
    )
    .option('--since <time>', 'only those that changed at this time or later', pastInstant)
    .option('--until <time>', 'only those that changed before this time, and not since', pastInstant)
    .option('--oldest', 'list the oldest change first')
    .option('--limit <count>', 'the most to list', wholeNumber(1, listedOrdersMax), listedOrdersDefault)
    .addOption(sandboxOption())
    .addHelpText(
      'after',
      `
An order that changes meanwhile may be missing. Order systems follow changes with
@payhooks/order-client.${permission}
${examplesOf('orders list --attention', 'orders list --status refunded --since yesterday')}`,
    )
    .action(action(listOrders));

  addActOptions(
    orders
      .command('resolve')
      .description('End an attention of an order that you have judged (asks first)')
      .argument('<id>', "the merchant's id of the order")
      .addOption(
        new Option('--attention <names...>', 'what you have judged (default: the only one)').choices(
          attentions,
        ),
      ),
  )
    .addHelpText(
      'after',
      `
It moves no money. Anything new for the order raises the attention again; if the order has changed meanwhile,
nothing is resolved. Who, when and why is kept with the order.

Also needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('orders resolve order-1 --attention disputed --reason "won, see case 4711"')}`,
    )
    .action(action(resolveAttention));
}

interface ResolveOptions extends ActOptions {
  readonly attention?: readonly Attention[];
}

/** Ends attentions of an order as the operator sees it: a change in the meantime refuses the act. */
function resolveAttention(session: Session, id: string, options: ResolveOptions): Promise<ExitCode> {
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
