import { bodiesOfEventMax, transactItemsMax, transactionEntriesMax } from '../../lambdas/contract/limits.ts';
import { fitsOrderItem } from '../../lambdas/contract/order-item.ts';
import {
  eventKey,
  eventNameKey,
  eventRecord,
  orderKey,
  proposalKey,
  transactionKey,
} from '../../lambdas/contract/schema.ts';
import type { AnyMode } from '../../lambdas/domain/signature.ts';
import type { Act, ActReader, Proposal, ProposalReader } from '../../lambdas/ports/acts.ts';
import type { EventRow, OrderRow, TransactionRow } from '../../lambdas/ports/rows.ts';
import type { EventScan, OrderScan, Segment } from '../../lambdas/ports/scans.ts';
import * as ports from '../../lambdas/ports/stores.ts';

/** One call of a port, such as `commit` with its changes. */
export interface StoreCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface Hooks {
  /** Awaited before every call; one that throws prevents it. */
  readonly gate?: (call: StoreCall) => Promise<void>;
  /** Awaited after every call; one that throws loses its response. */
  readonly after?: (call: StoreCall) => Promise<void>;
}

export interface MemoryPorts {
  readonly store: ports.DeliveryStore & ports.RepairStore;
  readonly events: ports.EventReader & ports.EventNameReader;
  readonly transactions: ports.TransactionReader;
  readonly orders: ports.OrderReader;
  readonly acts: ActReader;
  readonly proposals: ProposalReader;
  readonly eventScan: EventScan;
  readonly orderScan: OrderScan;
}

/** What both tables hold. Rows are replaced, never changed. */
const createData = (fits: typeof fitsOrderItem) => ({
  /** Each with its body, also where that has a row of its own. */
  events: new Map<string, EventRow>(),
  transactions: new Map<string, TransactionRow>(),
  orders: new Map<string, OrderRow>(),
  names: new Map<string, ports.EventNameState>(),
  acts: new Map<string, Act>(),
  proposals: new Map<string, Proposal>(),
  fits,
});
type Data = ReturnType<typeof createData>;

/**
 * Both tables in memory, with the semantics of `lambdas/aws`: every call is carried out at one moment. `fits`:
 * whether the row of an order has room for these facts.
 */
export function createMemoryTables(fits = fitsOrderItem) {
  const data = createData(fits);
  return { ...data, open: (hooks: Hooks = {}) => openPorts(data, hooks) };
}

/** A port whose calls return at once. */
type Sync<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};

function openPorts(data: Data, { gate = async () => {}, after = async () => {} }: Hooks): MemoryPorts {
  const gated = <Port extends object>(port: Sync<Port>): Port => {
    const calls = Object.entries(port).map(([name, run]) => [
      name,
      async (...args: readonly unknown[]) => {
        await gate({ name, args });
        const result = (run as (...given: readonly unknown[]) => unknown)(...args);
        await after({ name, args });
        return result;
      },
    ]);
    return Object.fromEntries(calls) as Port;
  };
  return {
    store: gated<MemoryPorts['store']>({ ...delivery(data), ...repairing(data) }),
    events: gated<MemoryPorts['events']>(reader(data)),
    transactions: gated<ports.TransactionReader>({
      getTransaction: (mode, id) => data.transactions.get(transactionKey(mode, id)) ?? noTransaction,
    }),
    orders: gated<ports.OrderReader>({
      get: ({ mode, id }) => data.orders.get(orderKey(mode, id)),
      getAll: (keys) => pick(keys, (key) => data.orders.get(key)),
    }),
    acts: gated<ActReader>({
      actsOf(key) {
        // DynamoDB refuses it, and dynalite does not.
        if (key === '') throw new Error('A key cannot be empty.');
        return sorted(data.acts).flatMap(([at, act]) => (at.startsWith(place(key, '')) ? [act] : []));
      },
    }),
    proposals: gated<ProposalReader>({ proposal: (key) => data.proposals.get(key) }),
    eventScan: gated<EventScan>({ page: (request) => eventPage(data, request) }),
    orderScan: gated<OrderScan>({
      page({ mode, segment, after: from = '' }) {
        const rows = sorted(data.orders).filter(
          ([key, { order }]) => key > from && order.mode === mode && isIn(segment, key),
        );
        return { orders: rows.map(([, row]) => row), next: undefined };
      },
    }),
  };
}

const noTransaction: TransactionRow = { entries: [], version: 0 };
const place = (key: string, record: string): string => `${key}\n${record}`;
const placeOf = ({ key, record }: Pick<EventRow, 'key' | 'record'>): string => place(key, record);
const ownPlace = (mode: AnyMode, eventId: string): string =>
  place(eventKey(mode, eventId), eventRecord.event);
const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].sort(([a], [b]) => Number(a > b) - Number(a < b));
const union = (...sets: (readonly string[])[]): readonly string[] => [...new Set(sets.flat())].sort();

function pick<T>(keys: readonly string[], get: (key: string) => T | undefined): ReadonlyMap<string, T> {
  return new Map(
    keys.flatMap((key) => {
      const value = get(key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

/** Fields that are absent, not `undefined`. */
const compact = <Row extends object>(row: { [Field in keyof Row]: Row[Field] | undefined }): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row;

function delivery({ events, transactions, orders, names, fits }: Data): Sync<ports.DeliveryStore> {
  /** The rows that name a body. */
  const replace = (body: Pick<ports.BodyRow, 'key' | 'bodySha256'>, next: (row: EventRow) => EventRow) => {
    for (const [at, row] of events)
      if (row.key === body.key && row.bodySha256 === body.bodySha256) events.set(at, next(row));
  };
  return {
    put(row) {
      if (events.has(placeOf(row))) return false;
      const { bodyRow, body: _, ...bodiless } = row;
      events.set(placeOf(row), compact<EventRow>(bodyRow === undefined ? row : bodiless));
      return true;
    },
    putBody({ body, expiresAt, ...named }) {
      const bodyRow = expiresAt === undefined ? {} : { expiresAt };
      replace(named, (row) => {
        if (row.body && !row.bodyRow) throw new Error('The body is in the row of its event.');
        return row.body || row.erased ? row : { ...row, body, bodyRow };
      });
    },
    putEventName(row) {
      const { waiting, judged, recordedAt = '' } = names.get(eventNameKey(row.mode, row.eventName)) ?? {};
      if (judged !== undefined || (waiting !== undefined && recordedAt <= row.recordedAt)) return;
      names.set(eventNameKey(row.mode, row.eventName), { ...row, waiting: 'event_name' });
    },
    join({ mode, transactionId, entry, at: joinedAt }) {
      const key = transactionKey(mode, transactionId);
      const row = transactions.get(key) ?? noTransaction;
      const hasRoom = row.entries.includes(entry) || row.entries.length < transactionEntriesMax;
      const entries = hasRoom ? union(row.entries, [entry]) : row.entries;
      const joined = { entries, joinedAt, version: row.version + 1 };
      transactions.set(key, joined);
      return joined;
    },
    merge({ order, facts: added, now }) {
      const row = orders.get(orderKey(order.mode, order.id));
      const facts = union(row?.facts ?? [], added);
      if (facts.length === row?.facts.length) return;
      if (!fits(order, facts)) throw new ports.PermanentStoreError('The order is full.');
      const change = { updatedAt: now().toISOString(), sequence: (row?.sequence ?? 0) + 1 };
      orders.set(orderKey(order.mode, order.id), { ...row, order, facts, ...change });
    },
    settle({ mode, eventId, orderIds: assignedOrderIds }) {
      const found = events.get(ownPlace(mode, eventId));
      if (found?.version !== 0) return false;
      const { waiting, ...row } = found;
      events.set(placeOf(row), { ...row, outcome: 'applied', assignedOrderIds, version: 1 });
      return true;
    },
    expireBody: (named, expiresAt) =>
      replace(named, (row) => (row.bodyRow ? { ...row, bodyRow: { expiresAt, ...row.bodyRow } } : row)),
  };
}

const rowsOf = ({ events }: Data, key: string): readonly EventRow[] =>
  sorted(events).flatMap(([, row]) => (row.key === key ? [row] : []));

const withoutBodies = ({ events }: Data, mode: AnyMode, ids: readonly string[]) =>
  pick(ids, (id) => {
    const { body, bodyRow, ...row } = events.get(ownPlace(mode, id)) ?? {};
    return 'key' in row ? (row as EventRow) : undefined;
  });

function bodiesOf(data: Data, key: string): ports.FoundBodies {
  const rows = rowsOf(data, key);
  return rows.length > bodiesOfEventMax ? { kind: 'too_many_bodies' } : { kind: 'found', rows };
}

const findBody = (data: Data, key: string, sha: string) =>
  rowsOf(data, key).filter(({ record, bodySha256 }) => record === eventRecord.event || bodySha256 === sha);

const reader = (data: Data): Sync<MemoryPorts['events']> => ({
  bodiesOf: (key) => bodiesOf(data, key),
  findBody: (key, sha) => findBody(data, key, sha),
  find(key) {
    const rows = rowsOf(data, key);
    const first = rows.slice(0, bodiesOfEventMax);
    const own = rows.filter((row) => row.record === eventRecord.event && !first.includes(row));
    return [...first.slice(0, bodiesOfEventMax - own.length), ...own];
  },
  eventRows: (mode, ids) => withoutBodies(data, mode, ids),
  summaries: (mode, ids) => withoutBodies(data, mode, ids),
  getEventName: (mode, name) => data.names.get(eventNameKey(mode, name)),
});

const isIn = (segment: Segment | undefined, key: string): boolean =>
  segment === undefined || (key.codePointAt(key.length - 1) ?? 0) % segment.of === segment.index;

function eventPage(
  data: Data,
  { mode, since = '', until = '~', after, segment, withBodies }: Parameters<EventScan['page']>[0],
) {
  const from = after === undefined ? '' : placeOf(after);
  const isScanned = ({ mode: of, key, record, recordedAt, eventId }: EventRow): boolean =>
    of === mode &&
    isIn(segment, key) &&
    eventId !== undefined &&
    /^(event$|conflict:)/.test(record) &&
    recordedAt >= since &&
    recordedAt <= until;
  const rows = sorted(data.events).filter(([at, row]) => at > from && isScanned(row));
  const scanned = rows.map(([, { key, record, eventId = '' }]) => ({
    eventId,
    position: { key, record },
    bodies: withBodies ? bodiesOf(data, key) : undefined,
  }));
  return { events: scanned, next: undefined };
}

const repairing = (data: Data): Sync<Omit<ports.RepairStore, 'putEventName'>> => ({
  findBody: (...body) => findBody(data, ...body),
  bodiesOf: (key) => bodiesOf(data, key),
  eventRows: (mode, ids) => withoutBodies(data, mode, ids),
  transactionRows: (mode, ids) => pick(ids, (id) => data.transactions.get(transactionKey(mode, id))),
  orderRows: (mode, ids) => pick(ids, (id) => data.orders.get(orderKey(mode, id))),
  commit(changes) {
    const { events, transactions, orders, names, acts, proposals = [] } = changes;
    if ([events, transactions, orders, names, acts, proposals].flat().length > transactItemsMax)
      return { kind: 'too_large' };
    if (!isAsRead(data, changes)) return { kind: 'changed' };
    const full = orders.filter(
      ({ before, after }) => before !== after && !data.fits(after.order, after.facts),
    );
    if (full.length > 0) return { kind: 'full', orderIds: full.map(({ after }) => after.order.id) };
    write(data, changes);
    return { kind: 'committed' };
  },
});

const keyOfProposal = ({ mode, id }: Proposal): string => proposalKey(mode, id);

function isAsRead(
  data: Data,
  { events, transactions, orders, names, proposals = [] }: ports.Changes,
): boolean {
  const keyOf = ({ mode, id }: OrderRow['order']) => orderKey(mode, id);
  const same = [
    ...events.map(({ before, after }) => [before?.version, data.events.get(placeOf(after))?.version]),
    ...transactions.map(({ before, mode, transactionId }) => [
      before?.version,
      data.transactions.get(transactionKey(mode, transactionId))?.version,
    ]),
    ...orders.map(({ before, after }) => [before?.sequence, data.orders.get(keyOf(after.order))?.sequence]),
    ...names.flatMap(({ before, after }) => {
      const row = data.names.get(eventNameKey(after.mode, after.eventName));
      return [
        [before?.waiting, row?.waiting],
        [before?.recordedAt, row?.recordedAt],
      ];
    }),
    ...proposals.flatMap(({ before, after }) => {
      const row = data.proposals.get(keyOfProposal(after));
      return [
        [before?.waits, row?.waits],
        [before?.approved === undefined, row?.approved === undefined],
      ];
    }),
  ];
  return same.every(([read, stored]) => read === stored);
}

function write(data: Data, changes: ports.Changes): void {
  const { events, transactions, orders, names, acts, proposals = [] } = changes;
  const changed = new Set(events.flatMap(({ before, after }) => (before === after ? [] : [after.key])));
  for (const { before, after } of events) {
    const isLock = after.record === eventRecord.event && changed.has(after.key);
    if (before === after && !isLock) continue;
    const version = before === undefined ? after.version : before.version + 1;
    // A row that was read without its body keeps it.
    const isUnread = after.body === undefined && before?.body === undefined;
    const kept = isUnread ? data.events.get(placeOf(after)) : after;
    const bodyRow = kept?.bodyRow && { ...after.bodyRow, ...kept.bodyRow };
    data.events.set(placeOf(after), compact<EventRow>({ ...after, body: kept?.body, bodyRow, version }));
  }
  for (const { mode, transactionId, before, after } of transactions) {
    const isSame = before ? before === after : after.entries.length === 0;
    const version = (before?.version ?? 0) + 1;
    if (!isSame) data.transactions.set(transactionKey(mode, transactionId), { ...after, version });
  }
  for (const { before, after } of orders) {
    const isSame = before ? before === after : after.facts.length === 0;
    const sequence = (before?.sequence ?? 0) + 1;
    if (!isSame) data.orders.set(orderKey(after.order.mode, after.order.id), { ...after, sequence });
  }
  for (const { after } of names) data.names.set(eventNameKey(after.mode, after.eventName), compact(after));
  for (const { after } of proposals) data.proposals.set(keyOfProposal(after), after);
  for (const { act, partition } of acts)
    data.acts.set(place(partition, eventRecord.act(act.at, JSON.stringify(act))), act);
}
