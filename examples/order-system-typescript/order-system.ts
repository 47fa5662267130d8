// An order system: follows changes, and ships each order once. It keeps orders and position in one database.
//
// In payhooks, `npm start` serves orders at http://127.0.0.1:4800; then, with Node 24:
//
//   node examples/order-system-typescript/order-system.ts
//
// In your project, install the order client as its README says. For a deployed stack, ORDER_QUERY_URL is the
// output `OrderQueryUrl`.
import { DatabaseSync } from 'node:sqlite';
import { createOrderClient, isDeliverable, type Order } from '@payhooks/order-client';

const { ORDER_QUERY_URL: baseUrl = 'http://127.0.0.1:4800', SHOP_DATABASE: file = 'shop.db' } = process.env;
// Local mode takes unsigned requests; a deployed stack, those that the AWS credentials of this process sign.
const unsigned = baseUrl.startsWith('http:') ? ({ credentials: false } as const) : {};
const client = createOrderClient({ baseUrl, ...unsigned });

const shop = new DatabaseSync(file);
shop.exec(`
  CREATE TABLE IF NOT EXISTS orders (
    order_id TEXT PRIMARY KEY, status TEXT, sequence INTEGER, shipped INTEGER NOT NULL DEFAULT FALSE);
  CREATE TABLE IF NOT EXISTS position (name TEXT PRIMARY KEY, cursor TEXT);
`);
const newest = shop.prepare(`
  INSERT INTO orders (order_id, status, sequence) VALUES (?, ?, ?) ON CONFLICT (order_id) DO UPDATE
  SET status = excluded.status, sequence = excluded.sequence WHERE excluded.sequence > orders.sequence
  RETURNING shipped`);
const ship = shop.prepare('UPDATE orders SET shipped = TRUE WHERE order_id = ?');
const position = shop.prepare(`SELECT cursor FROM position WHERE name = 'orders'`);
const keepPosition = shop.prepare(`INSERT OR REPLACE INTO position VALUES ('orders', ?)`);

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

const kept = position.get()?.['cursor'];
for await (const order of client.changes({
  cursor: typeof kept === 'string' ? kept : undefined,
  // After every order before the cursor was taken: a restart from there misses none.
  onCursor: (cursor) => void keepPosition.run(cursor),
  onFault: (error) => console.error('payhooks does not respond; trying again.', error),
  signal: stop.signal,
})) {
  take(order);
}

function take(order: Order): void {
  // An order may come more than once; only a higher sequence is news.
  const row = newest.get(order.order_id, order.status, order.sequence);
  if (row === undefined) return;
  const wasShipped = row['shipped'] === 1;
  // Paid, and nothing that a person must look at. A real system also compares the amount with its price.
  if (isDeliverable(order) && !wasShipped) {
    // What ships it works through these rows.
    ship.run(order.order_id);
    console.log(`${order.order_id}: ship it`);
  } else if (wasShipped && !isDeliverable(order)) {
    console.log(`${order.order_id}: shipped, and now ${order.status} [${order.attention}]: ask a person`);
  }
}
