import type { History, Row } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { abandonedOrders } from './feed-rules.ts';
import { textOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const wrong = violationsOf('heartbeats');
const [eventPrefix, orderPrefix] = ['heartbeat:event:', 'heartbeat:order:'];

/** A heartbeat that was sent. The id of its order begins with the time of sending. */
interface Sent {
  readonly eventId: string;
  readonly orderId: string;
  readonly isAcknowledged: boolean;
}

/**
 * Each heartbeat that got 202 goes through both tables and the feed, back to its function, whose metric keeps
 * the alarm off; and its rows expire. That no order system sees one follows from the rules for orders and
 * lists.
 */
export function heartbeatViolations({ history }: Evidence): readonly Violation[] {
  const { tables, expiredRows, bus } = history;
  const present = [...tables.events, ...tables.orders].filter(isOfHeartbeat);
  const recorded = new Set(
    [...present, ...expiredRows.map(({ row }) => row).filter(isOfHeartbeat)].map(keyOf),
  );
  const orders = [...recorded].filter((key) => key.startsWith(orderPrefix));
  const permanent = present.filter((row) => row['expires_at'] === undefined || row['waiting'] !== undefined);
  const crossed = bus.filter(
    ({ source, detailType }) => (source === 'payhooks.heartbeat') !== (detailType === 'Heartbeat'),
  );
  const beats = bus.filter(({ detailType }) => detailType === 'Heartbeat');
  const published = new Set(beats.map(({ detail }) => (JSON.parse(detail) as { order_id: string }).order_id));
  const abandoned = abandonedOrders(history);
  const unpublished = orders.filter(
    (key) => !published.has(key.slice(orderPrefix.length)) && !abandoned.has(key),
  );
  const sent = sentHeartbeats(history);
  const known = new Set(sent.map(({ orderId }) => `${orderPrefix}${orderId}`));
  return wrong(
    ...permanent.map((row) => `The row ${quoted(keyOf(row))} of a heartbeat waits, or never expires.`),
    ...crossed.map(({ id, source, detailType }) => `The message ${id} is a ${detailType} of ${source}.`),
    ...lost(history, sent, recorded),
    ...orders
      .filter((key) => !known.has(key))
      .map((key) => `${quoted(key)} is recorded, and was never sent.`),
    ...unpublished.map((key) => `${quoted(key)} is recorded, and was never published.`),
    ...returnSentences(history, published),
  );
}

const keyOf = (row: Row): string => textOf(row, 'event_key') ?? textOf(row, 'order_key') ?? '';
const isOfHeartbeat = (row: Row): boolean => keyOf(row).startsWith('heartbeat:');

const sentHeartbeats = ({ heartbeats }: History): readonly Sent[] =>
  heartbeats.map(({ body, status }) => {
    const { id, payload } = JSON.parse(Buffer.from(body, 'base64').toString()) as {
      readonly id: string;
      readonly payload: { readonly transaction: { readonly order_id: string } };
    };
    return { eventId: id, orderId: payload.transaction.order_id, isAcknowledged: status === 202 };
  });

/** What got 202, and is neither in both tables nor in a queue. */
function lost({ queues }: History, sent: readonly Sent[], recorded: ReadonlySet<string>): readonly string[] {
  const queued = [...queues.events, ...queues.deadLetters].map(({ body }) =>
    Buffer.from(body, 'base64').toString(),
  );
  return sent.flatMap(({ eventId, orderId, isAcknowledged }) => {
    if (!isAcknowledged || queued.some((text) => text.includes(eventId))) return [];
    const missing = [`${eventPrefix}${eventId}`, `${orderPrefix}${orderId}`].filter(
      (key) => !recorded.has(key),
    );
    return missing.map((key) => `A heartbeat got 202, and ${quoted(key)} is not recorded.`);
  });
}

/**
 * The metric has no id: its value is the time since the sending, so that it shows which heartbeat came back,
 * as exactly as the clock of the function is.
 */
function returnSentences(
  { metrics, invocations }: History,
  published: ReadonlySet<string>,
): readonly string[] {
  const clocks = invocations.filter(({ stage }) => stage === 'heartbeat');
  const skew = Math.max(0, ...clocks.map(({ skewMilliseconds }) => Math.abs(skewMilliseconds)));
  const counted = metrics
    .filter(({ name }) => name === 'HeartbeatReturned')
    .map(({ at, value }) => at - value * 1_000);
  const sentAt = new Map([...published].map((id) => [id, Date.parse(id.split(' ')[0] ?? '')]));
  const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= skew;
  const uncounted = [...sentAt].filter(([, at]) => !counted.some((time) => isSame(time, at)));
  const strange = counted.filter((time) => ![...sentAt.values()].some((at) => isSame(time, at)));
  return [
    ...uncounted.map(([id]) => `The heartbeat ${quoted(id)} was published, and not counted as returned.`),
    ...strange.map((time) => {
      const about = new Date(time).toISOString();
      return `A heartbeat sent about ${about} was counted as returned, and never published.`;
    }),
  ];
}
