import { createHash } from 'node:crypto';
import { eventBody } from './event-body.ts';

/** An event over USD; `attempt` changes its bytes and not its fact. */
export interface SampleBody {
  readonly id: string;
  readonly action: string;
  readonly order: string | null;
  readonly transaction: string | null;
  readonly amount: string;
  readonly attempt: number;
}

export const sha256 = (body: SampleBody): string =>
  createHash('sha256').update(eventBody(body)).digest('hex');

interface Routed {
  readonly fact: string;
  readonly body: SampleBody;
  /** Whether the fact is that of the body: a mark is not. */
  readonly counts: boolean;
}

const factOf = ({ id, action, transaction, amount }: SampleBody): string =>
  JSON.stringify(['event.1', id, `transaction.${action}`, transaction, amount, 'USD', null]);

/**
 * Where everything ends once each of the bodies was delivered, in whatever order: written from
 * docs/architecture.md, without the code under test. Only which body of an id came first is given.
 */
export function expectedState(bodies: readonly SampleBody[], firstOf: (id: string) => SampleBody) {
  const distinct = [...new Map(bodies.map((body) => [sha256(body), body])).values()];
  const routed: Routed[] = [];
  const records: Record<string, string> = {};
  for (const body of distinct) {
    const first = firstOf(body.id);
    if (sha256(body) === sha256(first)) routed.push({ fact: factOf(body), body, counts: true });
    else if (factOf(body) === factOf(first) && body.order === first.order) {
      records[`${body.id} variant:${sha256(body)}`] = 'duplicate';
    } else {
      records[`${body.id} conflict:${sha256(body)}`] = 'conflict, waits as conflict';
      const named = body.order !== null && body.order === first.order;
      const joined = body.order === null && first.order === null && body.transaction === first.transaction;
      if (named || (joined && body.transaction !== null)) {
        routed.push({ fact: factOf(body), body, counts: true });
      } else {
        const fact = JSON.stringify(['conflict.1', body.id, sha256(body)]);
        for (const marked of [body, first]) routed.push({ fact, body: marked, counts: false });
      }
    }
  }
  const ordersOf = (transaction: string | null): string[] =>
    routed.flatMap(({ body: { action, order, transaction: paid }, counts }) =>
      counts && action === 'paid' && order !== null && paid !== null && paid === transaction ? [order] : [],
    );
  const orders: Record<string, Set<string>> = {};
  const add = (order: string, fact: string): void => {
    orders[order] ??= new Set();
    orders[order].add(fact);
  };
  for (const { fact, body } of routed) {
    for (const order of body.order === null ? ordersOf(body.transaction) : [body.order]) add(order, fact);
    const paidIn = new Set(ordersOf(body.transaction));
    if (paidIn.size > 1)
      for (const order of paidIn) add(order, JSON.stringify(['shared.1', body.transaction]));
  }
  for (const id of new Set(distinct.map((body) => body.id))) {
    const first = firstOf(id);
    const [assigned] = ordersOf(first.transaction).sort();
    const history = first.action === 'note' ? 'recorded' : 'unassigned, waits as unassigned';
    const applied = first.order === null ? `applied to ${assigned}` : 'applied';
    records[`${id} event`] = first.order === null && assigned === undefined ? history : applied;
  }
  return { orders, records, eventNames: distinct.some(({ action }) => action === 'note') ? 1 : 0 };
}
