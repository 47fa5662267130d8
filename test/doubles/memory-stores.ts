import { changeOf, comparePositions } from '../../lambdas/contract/change-position.ts';
import { eventKey, eventRecord, orderKey } from '../../lambdas/contract/schema.ts';
import type {
  ChangeReader,
  EventReader,
  EventRow,
  EventWriter,
  OrderReader,
  OrderRef,
  OrderRow,
  OrderWriter,
} from '../../lambdas/ports/stores.ts';

interface MemoryOrder {
  readonly order: OrderRef;
  readonly facts: Set<string>;
  status: string;
  readonly updatedAt: string;
}

/** Called before and after every write: a throw before loses the write, a throw after loses its response. */
export type FaultInjector = (moment: 'before' | 'after', operation: 'put' | 'merge' | 'setStatus') => void;

/** Both tables in memory; writes have the conditions that they have in DynamoDB. */
export function memoryStores(inject: FaultInjector = () => {}) {
  const events = new Map<string, EventRow>();
  const orders = new Map<string, MemoryOrder>();
  const row = (key: string): OrderRow | undefined => {
    const order = orders.get(key);
    return order && { ...order, facts: [...order.facts] };
  };
  const writer: EventWriter & OrderWriter = {
    async put(event) {
      inject('before', 'put');
      const key = `${event.key} ${event.record}`;
      const present = events.get(key);
      if (present === undefined) events.set(key, event);
      inject('after', 'put');
      if (present === undefined) return { kind: 'stored' };
      const { bodySha256, orderId } = present;
      return { kind: 'present', bodySha256, ...(orderId === undefined ? {} : { orderId }) };
    },
    async merge({ order, facts, status, now }) {
      inject('before', 'merge');
      const key = orderKey(order.mode, order.id);
      const before = orders.get(key);
      const changed = facts.some((fact) => !before?.facts.has(fact));
      if (changed) {
        const union = new Set([...(before?.facts ?? []), ...facts]);
        orders.set(key, {
          order,
          facts: union,
          status: before?.status ?? status,
          updatedAt: now().toISOString(),
        });
      }
      inject('after', 'merge');
      const after = row(key);
      return { facts: after?.facts ?? [], status: after?.status, changed };
    },
    async setStatus(order, status, factCount) {
      inject('before', 'setStatus');
      const stored = orders.get(orderKey(order.mode, order.id));
      if (stored !== undefined && stored.facts.size === factCount) stored.status = status;
      inject('after', 'setStatus');
    },
  };
  const reader: EventReader & OrderReader & ChangeReader = {
    async find(mode, eventId) {
      return [...events.values()].filter(({ key }) => key === eventKey(mode, eventId));
    },
    async summaries(mode, eventIds) {
      const own = eventIds.map((id) => events.get(`${eventKey(mode, id)} ${eventRecord.event}`));
      return new Map(own.flatMap((event) => (event?.eventId ? [[event.eventId, event]] : [])));
    },
    async get(order) {
      return row(orderKey(order.mode, order.id));
    },
    async getAll(keys) {
      return new Map(keys.flatMap((key) => [row(key)].flatMap((found) => (found ? [[key, found]] : []))));
    },
    async after(mode, position, limit) {
      const found = [...orders]
        .filter(([, { order }]) => order.mode === mode)
        .map(([key, { updatedAt }]) => changeOf(updatedAt, key))
        .filter((change) => comparePositions(change, position) > 0)
        .toSorted(comparePositions);
      return { changes: found.slice(0, limit), more: found.length > limit };
    },
  };
  return { events, orders, writer, reader };
}
