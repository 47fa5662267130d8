import type { ListOptions as ListParameters, Order } from '@payhooks/order-client';
import { orderMoney } from '../../lambdas/domain/money-text.ts';
import { openOrderQuery } from '../../operator/apis.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { chosenMode } from '../options.ts';
import { readList } from '../read-list.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { listedTime } from '../times.ts';

interface ListOptions extends CommonOptions, Pick<ListParameters, 'status' | 'attention'> {
  readonly since?: string;
  readonly until?: string;
  readonly oldest?: true;
  readonly limit: number;
  readonly sandbox?: true;
}

const pageOrders = 100;

export async function listOrders(session: Session, options: ListOptions): Promise<ExitCode> {
  const { terminal } = session;
  const stack = await session.stack(options);
  const client = openOrderQuery(stack);
  const { status, attention, since, until, oldest, limit } = options;
  const isFiltered = status !== undefined || attention !== undefined;
  const request: ListParameters = {
    status,
    attention,
    updated_since: since,
    updated_until: until,
    sort_order: oldest ? 'asc' : 'desc',
    mode: chosenMode(options),
    // A page with filters is cut after it was filtered.
    limit: isFiltered ? pageOrders : Math.min(limit, pageOrders),
  };
  const { rows: orders, hasMore } = await readList(session, {
    what: 'orders',
    limit,
    request: (cursor) => client.orders({ ...request, cursor }),
    rowsOf: (page) => page.orders,
  });
  return show(session, options, {
    document: { orders, has_more: hasMore },
    print() {
      const [first] = orders;
      // Orders that only waiting events name have no state, so that no filter finds them.
      if (first === undefined)
        return terminal.print(`No order${options.sandbox ? ' in the sandbox' : ''} matches.`);
      terminal.table(
        ['CHANGED', 'ORDER', 'STATUS', 'MONEY', 'ATTENTION'],
        orders.map((order) => rowOf(session, order)),
      );
      if (hasMore) terminal.print(`There are more: the list ends at --limit ${limit}.`);
      const command = `payhooks orders show ${shellQuoted(first.order_id)}`;
      terminal.note(`→ ${nextCommand(stack, command, chosenMode(options))}`);
    },
  });
}

function rowOf(session: Session, order: Order): readonly string[] {
  const changed = listedTime(session, order.updated_at);
  const money = orderMoney(order.transactions) ?? '-';
  return [changed, order.order_id, order.status, money, order.attention.join(', ') || '-'];
}
