import { fromEventItem, toEventItem } from '../../lambdas/aws/event-item.ts';
import { changeOf, comparePositions } from '../../lambdas/contract/change-position.ts';
import {
  eventKey,
  eventNameKey,
  eventRecord,
  orderKey,
  transactionKey,
  unrecognisedKey,
} from '../../lambdas/contract/schema.ts';
import type { Mode } from '../../lambdas/domain/signature.ts';
import type { ActReader } from '../../lambdas/ports/acts.ts';
import type { KeyUseWriter } from '../../lambdas/ports/key-uses.ts';
import {
  type BodyRow,
  type ChangeReader,
  type EventNameRow,
  type EventReader,
  type EventRow,
  type EventWriter,
  type OrderReader,
  type OrderRef,
  type OrderRow,
  type OrderWriter,
  PermanentStoreError,
} from '../../lambdas/ports/stores.ts';
import type { TransactionReader, TransactionWriter } from '../../lambdas/ports/transactions.ts';
import type { UnrecognisedReader } from '../../lambdas/ports/unrecognised-reader.ts';
import type { WaitingReader } from '../../lambdas/ports/waiting-reader.ts';
import { memoryActs } from './memory-acts.ts';
import { memoryWaiting } from './memory-waiting.ts';

const readRows = new WeakMap<EventRow, EventRow>();

/** A row as the table returns it: its fact may follow from its body. Stored rows never change. */
function asRead(row: EventRow): EventRow {
  const read = readRows.get(row) ?? fromEventItem(toEventItem(row));
  readRows.set(row, read);
  return { ...read };
}

/** What the order query reads. */
export type OrderQueryReader = EventReader &
  OrderReader &
  ChangeReader & {
    readonly transactions: TransactionReader;
    readonly waiting: Pick<WaitingReader, 'list'>;
    readonly acts: ActReader;
  };

interface MemoryOrder {
  readonly order: OrderRef;
  readonly facts: Set<string>;
  readonly headroom: boolean;
  readonly updatedAt: string;
}

export type ConsumerStores = EventWriter & TransactionWriter & OrderWriter & KeyUseWriter;
export type StoreOperation = keyof ConsumerStores;

/** Called before and after every call: a throw before loses the call, a throw after loses its response. */
export type FaultInjector = (moment: 'before' | 'after', operation: StoreOperation) => void;

/** When rows are full. An order's row keeps `headroomBytes` free until it gives them up. */
export interface MemoryRoom {
  readonly orderBytesMax: number;
  readonly headroomBytes: number;
  readonly transactionOrdersMax: number;
  readonly transactionFactsMax: number;
}

const roomy: MemoryRoom = {
  orderBytesMax: 400_000,
  headroomBytes: 40,
  transactionOrdersMax: 10,
  transactionFactsMax: 50,
};

/** Both tables in memory; writes have the conditions that they have in DynamoDB. */
export function memoryStores(inject: FaultInjector = () => {}, room: Partial<MemoryRoom> = {}) {
  const limits = { ...roomy, ...room };
  const events = new Map<string, EventRow>();
  /** An erased body leaves its row. */
  const bodies = new Map<string, Omit<BodyRow, 'body'> & Pick<EventRow, 'body' | 'erased'>>();
  const eventNames = new Map<string, EventNameRow>();
  const transactions = new Map<string, { orderIds: Set<string>; facts: Set<string> }>();
  const keyUses = new Map<string, string>();
  const orders = new Map<string, MemoryOrder>();
  const row = (key: string): OrderRow | undefined => {
    const order = orders.get(key);
    return order && { order: order.order, facts: [...order.facts], updatedAt: order.updatedAt };
  };
  const call = async <Result>(operation: StoreOperation, run: () => Result): Promise<Result> => {
    inject('before', operation);
    const result = run();
    inject('after', operation);
    return result;
  };
  const bodyKey = ({ key, bodySha256 }: Pick<EventRow, 'key' | 'bodySha256'>) => `${key} body:${bodySha256}`;
  const writer: ConsumerStores = {
    put: (event) =>
      call('put', () => {
        const key = `${event.key} ${event.record}`;
        const present = events.get(key);
        if (present !== undefined) return { kind: 'present', row: asRead(present) };
        events.set(key, event);
        return { kind: 'stored' };
      }),
    putBody: (body) =>
      call('putBody', () => {
        const { expiresAt = Number.POSITIVE_INFINITY } = bodies.get(bodyKey(body)) ?? { expiresAt: 0 };
        if (expiresAt < (body.expiresAt ?? 1)) bodies.set(bodyKey(body), body);
      }),
    putEventName: (name) =>
      call('putEventName', () => {
        const key = eventNameKey(name.mode, name.eventName);
        if (!eventNames.has(key)) eventNames.set(key, name);
      }),
    getRow: (key, record) =>
      call('getRow', () => {
        const stored = events.get(`${key} ${record}`);
        return stored && asRead(stored);
      }),
    settle: (settlement) =>
      call('settle', () => {
        const key = `${settlement.key} ${eventRecord.event}`;
        const stored = events.get(key);
        if (stored === undefined) return undefined;
        const isSame =
          'bodySha256' in settlement
            ? stored.bodySha256 === settlement.bodySha256
            : stored.fact === settlement.fact && stored.orderId === undefined;
        const { outcome, assignedOrderId, mergedInto = [assignedOrderId] } = settlement;
        const isBetter =
          outcome !== 'applied' ||
          assignedOrderId === undefined ||
          stored.assignedOrderId === undefined ||
          mergedInto.includes(stored.assignedOrderId) ||
          (stored.outcome === 'applied' && stored.assignedOrderId > assignedOrderId);
        if (!isSame || !isBetter) return undefined;
        const { reason, waiting, expiresAt, judged, ...kept } = stored;
        const { from = stored.outcome, mergedInto: _, ...state } = settlement;
        if (from !== stored.outcome) return undefined;
        if (settlement.waiting !== undefined && judged && stored.outcome === outcome) return undefined;
        const ended = { ...(expiresAt !== undefined && { expiresAt }), ...(judged && { judged }) };
        const former = settlement.waiting === undefined ? ended : {};
        events.set(key, { ...kept, ...former, ...state, bodySha256: stored.bodySha256 });
        return stored.bodySha256;
      }),
    setBodyExpiry: (body, expiresAt) =>
      call('setBodyExpiry', () => {
        const stored = bodies.get(bodyKey(body));
        if (stored?.body === undefined) return;
        const { expiresAt: earlier, ...kept } = stored;
        const expiry = expiresAt === undefined ? undefined : (earlier ?? expiresAt);
        bodies.set(bodyKey(body), { ...kept, ...(expiry !== undefined && { expiresAt: expiry }) });
      }),
    eraseBody: ({ key, record, erased: decision, fact }) =>
      call('eraseBody', () => {
        const [kind, bodySha256 = ''] = record.split(':');
        if (kind === 'body') {
          const { erased = decision } = bodies.get(bodyKey({ key, bodySha256 })) ?? {};
          bodies.set(bodyKey({ key, bodySha256 }), { key, bodySha256, erased });
          return;
        }
        const stored = events.get(`${key} ${record}`);
        if (stored === undefined) return;
        const { body: _, expiresAt: __, erased = decision, ...kept } = stored;
        events.set(`${key} ${record}`, { ...(fact && { fact }), ...kept, erased });
      }),
    putKeyUse: ({ mode, keyId, matchedAt }) =>
      call('putKeyUse', () => {
        const key = `${mode} ${keyId}`;
        if (matchedAt > (keyUses.get(key) ?? '')) keyUses.set(key, matchedAt);
      }),
    join: ({ mode, transactionId, add }) =>
      call('join', () => {
        const key = transactionKey(mode, transactionId);
        const joined = transactions.get(key) ?? { orderIds: new Set(), facts: new Set() };
        if ('fact' in add) {
          if (joined.facts.size < limits.transactionFactsMax) joined.facts.add(add.fact);
        } else if ('correction' in add) {
          joined.facts.add(add.correction);
        } else if (joined.orderIds.size < (add.unlessOthers ? 1 : limits.transactionOrdersMax)) {
          joined.orderIds.add(add.orderId);
        }
        transactions.set(key, joined);
        return { orderIds: [...joined.orderIds], facts: [...joined.facts] };
      }),
    merge: ({ order, facts, now, releasesHeadroom = false }) =>
      call('merge', () => {
        const key = orderKey(order.mode, order.id);
        const before = orders.get(key);
        const changed = facts.some((fact) => !before?.facts.has(fact));
        if (changed) {
          const union = new Set([...(before?.facts ?? []), ...facts]);
          const used = [...union].reduce((sum, fact) => sum + Buffer.byteLength(fact), 0);
          if (used + (releasesHeadroom ? 0 : limits.headroomBytes) > limits.orderBytesMax) {
            throw new PermanentStoreError('The order is full.');
          }
          orders.set(key, {
            order,
            facts: union,
            headroom: !releasesHeadroom,
            updatedAt: now().toISOString(),
          });
        }
        return { facts: row(key)?.facts ?? [], changed };
      }),
  };
  const withBody = (event: EventRow): EventRow => {
    const body = event.body ? undefined : bodies.get(bodyKey(event))?.body;
    return asRead(body === undefined ? event : { ...event, body });
  };
  const changesOf = (mode: Mode) =>
    [...orders]
      .filter(([, { order }]) => order.mode === mode)
      .map(([key, { updatedAt }]) => changeOf(updatedAt, key))
      .toSorted(comparePositions);
  const acts = memoryActs();
  const reader: OrderQueryReader & UnrecognisedReader = {
    waiting: memoryWaiting({ events, eventNames }),
    acts,
    transactions: {
      async get(mode, transactionId) {
        const { orderIds = [], facts = [] } = transactions.get(transactionKey(mode, transactionId)) ?? {};
        return { orderIds: [...orderIds], facts: [...facts] };
      },
    },
    async find(mode, eventId) {
      return [...events.values()].filter(({ key }) => key === eventKey(mode, eventId)).map(withBody);
    },
    async findBody(mode, eventId, bodySha256) {
      const rows = await reader.find(mode, eventId);
      return rows.filter((row) => row.record === eventRecord.event || row.bodySha256 === bodySha256);
    },
    async findUnrecognised(mode, bodySha256) {
      const stored = events.get(`${unrecognisedKey(mode, bodySha256)} ${eventRecord.unrecognised}`);
      return stored && withBody(stored);
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
      const found = changesOf(mode).filter((change) => comparePositions(change, position) > 0);
      return { changes: found.slice(0, limit), more: found.length > limit };
    },
    async before(mode, position, limit) {
      const found = changesOf(mode).filter((change) => comparePositions(change, position) < 0);
      return { changes: found.toReversed().slice(0, limit), more: found.length > limit };
    },
  };
  const tables = { events, bodies, eventNames, transactions, keyUses, orders, acts: acts.acts };
  return { ...tables, writer, reader, setRoom: (more: Partial<MemoryRoom>) => Object.assign(limits, more) };
}
