import { Option } from 'commander';
import { attentions } from '../../lambdas/domain/attention.ts';
import { orderStatuses } from '../../lambdas/domain/fold-order.ts';
import { attentionFilters } from '../../lambdas/order-query/cursor.ts';
import { listedOrdersDefault, listedOrdersMax } from '../../operator/limits.ts';
import { addActOptions } from '../acts/options.ts';
import { type CommandSetup, examplesOf, sandboxOption, wholeNumber } from '../options.ts';
import { pastInstant } from '../times.ts';
import { listOrders } from './list.ts';
import { resolveAttention } from './resolve.ts';
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
The list is a view: an order that changes meanwhile may be missing. Order systems follow changes with
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
A resolution says that you have looked; it never moves money. It holds for the order as it is shown: any new
fact raises the attention again, and if the order has changed meanwhile, nothing is resolved. It is kept with
the order: who, when and why.

Also needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('orders resolve order-1 --attention disputed --reason "won, see case 4711"')}`,
    )
    .action(action(resolveAttention));
}
