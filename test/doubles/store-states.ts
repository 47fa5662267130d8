import { memoryStores } from './memory-stores.ts';

type Stores = ReturnType<typeof memoryStores>;

/** Sets and attributes have no order in a table. */
const withoutOrder = (_: string, value: unknown): unknown => {
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** A row is never changed in place, only replaced. */
const texts = new WeakMap<object, string>();

export function rowText(row: object): string {
  const text = texts.get(row) ?? JSON.stringify({ ...row }, withoutOrder);
  texts.set(row, text);
  return text;
}

/** Everything in the tables, byte for byte. */
export function stateText({ transactions, ...stores }: Stores): string {
  const { events, bodies, eventNames, orders, acts, keyUses } = stores;
  const rows = [events, bodies, eventNames, orders].flatMap((table) =>
    [...table].map(([key, row]) => `${key} ${rowText(row)}`),
  );
  // The sets of a transaction are changed in place.
  const joined = [...transactions].map((row) => JSON.stringify(row, withoutOrder));
  return [...rows, ...joined, JSON.stringify([...keyUses].sort()), JSON.stringify([...acts])]
    .sort()
    .join('\n');
}

/** Tables that hold the same, without its operators. What is done to them leaves the original as it is. */
export function copyOf(stores: Stores): Stores {
  const copy = memoryStores();
  for (const [key, row] of stores.events) copy.events.set(key, row);
  for (const [key, row] of stores.bodies) copy.bodies.set(key, row);
  for (const [key, row] of stores.eventNames) copy.eventNames.set(key, row);
  for (const [key, row] of stores.orders) copy.orders.set(key, row);
  for (const [key, matchedAt] of stores.keyUses) copy.keyUses.set(key, matchedAt);
  for (const [key, { orderIds, facts }] of stores.transactions)
    copy.transactions.set(key, { orderIds: new Set(orderIds), facts: new Set(facts) });
  return copy;
}
