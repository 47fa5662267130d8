import type { Row } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { abandonedOrders } from './feed-rules.ts';
import { textOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const wrong = violationsOf('heartbeats');
/** Heartbeats are a minute apart, and no two clocks differ by more. */
const clocksMilliseconds = 5_000;
const [eventPrefix, orderPrefix] = ['heartbeat:event:', 'heartbeat:order:'];

/**
 * Each heartbeat that got 202 goes through both tables and the feed, back to its function, whose metric keeps
 * the alarm off; and its rows expire. That no order system sees one follows from the rules for orders and
 * lists.
 */
export function heartbeatViolations({ history }: Evidence): readonly Violation[] {
  const { tables, expiredRows, queues, bus } = history;
  const present = [...tables.events, ...tables.orders].filter(isOfHeartbeat);
  const expired = expiredRows.map(({ row }) => row).filter(isOfHeartbeat);
  const recorded = new Set([...present, ...expired].map(keyOf));
  const queued = [...queues.events, ...queues.deadLetters].map(({ body }) => textOfBody(body)).join();
  // The id of an order begins with the time of sending.
  const sent = history.heartbeats.map(({ body, status }) => {
    const { id, payload } = JSON.parse(textOfBody(body)) as SentEvent;
    const keys = [`${eventPrefix}${id}`, `${orderPrefix}${payload.transaction.order_id}`];
    return { keys, isOpen: status !== 202 || queued.includes(id) };
  });
  const known = new Set(sent.flatMap(({ keys }) => keys));
  const beats = bus.filter(({ detailType }) => detailType === 'Heartbeat');
  const published = new Set(beats.map(({ detail }) => (JSON.parse(detail) as { order_id: string }).order_id));
  // The metric has no id: its value is the time since the sending, by the clock of the function.
  const returns = history.metrics.flatMap(({ name, at, value }) =>
    name === 'HeartbeatReturned' ? [at - value * 1_000] : [],
  );
  const abandoned = abandonedOrders(history);
  const orders = [...recorded].filter((key) => key.startsWith(orderPrefix));
  return wrong(
    ...present
      .filter((row) => row['expires_at'] === undefined || row['waiting'] !== undefined)
      .map((row) => `The row ${quoted(keyOf(row))} of a heartbeat waits, or never expires.`),
    ...bus
      .filter(({ source, detailType }) => (source === 'payhooks.heartbeat') !== (detailType === 'Heartbeat'))
      .map(({ id, source, detailType }) => `The message ${id} is a ${detailType} of ${source}.`),
    ...sent
      .flatMap(({ keys, isOpen }) => (isOpen ? [] : keys.filter((key) => !recorded.has(key))))
      .map((key) => `A heartbeat got 202, and ${quoted(key)} is not recorded.`),
    ...orders
      .filter((key) => !known.has(key))
      .map((key) => `${quoted(key)} is recorded, and was never sent.`),
    ...orders
      .filter((key) => !published.has(key.slice(orderPrefix.length)) && !abandoned.has(key))
      .map((key) => `${quoted(key)} is recorded, and was never published.`),
    ...[...published]
      .filter((id) => !returns.some((at) => Math.abs(at - sentAt(id)) < clocksMilliseconds))
      .map((id) => `The heartbeat ${quoted(id)} was published, and not counted.`),
  );
}

interface SentEvent {
  readonly id: string;
  readonly payload: { readonly transaction: { readonly order_id: string } };
}

const textOfBody = (base64: string): string => Buffer.from(base64, 'base64').toString();
const keyOf = (row: Row): string => textOf(row, 'event_key') ?? textOf(row, 'order_key') ?? '';
const isOfHeartbeat = (row: Row): boolean => keyOf(row).startsWith('heartbeat:');
const sentAt = (orderId: string): number => Date.parse(orderId.split(' ')[0] ?? '');
