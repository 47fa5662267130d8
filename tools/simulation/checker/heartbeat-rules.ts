import type { History, Row } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { abandonedOrders } from './feed-rules.ts';
import { textOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const wrong = violationsOf('heartbeats');
const prefix = 'heartbeat:order:';

/**
 * A heartbeat that got 202 goes through both tables and the feed, back to its function, whose metric keeps
 * the alarm off; and its rows expire. That no order system sees one follows from the rules for orders and
 * lists.
 */
export function heartbeatViolations({ history }: Evidence): readonly Violation[] {
  const { tables, expiredRows, bus, queues } = history;
  const rows = [...tables.events, ...tables.orders].filter(isOfHeartbeat);
  const orders = new Set(
    [...tables.orders, ...expiredRows.map(({ row }) => row)]
      .map((row) => textOf(row, 'order_key') ?? '')
      .filter((key) => key.startsWith(prefix)),
  );
  const permanent = rows.filter((row) => row['expires_at'] === undefined || row['waiting'] !== undefined);
  const crossed = bus.filter(
    ({ source, detailType }) => (source === 'payhooks.heartbeat') !== (detailType === 'Heartbeat'),
  );
  const beats = bus.filter(({ detailType }) => detailType === 'Heartbeat');
  const published = new Set(beats.map(({ detail }) => (JSON.parse(detail) as { order_id: string }).order_id));
  const abandoned = abandonedOrders(history);
  const lost = [...orders].filter((key) => !published.has(key.slice(prefix.length)) && !abandoned.has(key));
  const unfinished = [...queues.events, ...queues.deadLetters].filter(
    ({ attributes }) => attributes['mode'] === 'heartbeat',
  );
  const [sent, recorded] = [linesOf(history, 'heartbeat sent'), orders.size + unfinished.length];
  const returned = history.metrics.filter(({ name }) => name === 'HeartbeatReturned').length;
  return wrong(
    ...permanent.map((row) => `The row ${quoted(keyOf(row))} of a heartbeat waits, or never expires.`),
    ...crossed.map(({ id, source, detailType }) => `The message ${id} is a ${detailType} of ${source}.`),
    ...lost.map((key) => `${quoted(key)} is recorded, and was never published.`),
    ...(recorded < sent ? [`${sent} heartbeats got 202, and ${recorded} are recorded.`] : []),
    ...(returned < published.size || (published.size === 0 && returned > 0)
      ? [`${published.size} heartbeats were published, and ${returned} were counted as returned.`]
      : []),
  );
}

const keyOf = (row: Row): string => textOf(row, 'event_key') ?? textOf(row, 'order_key') ?? '';
const isOfHeartbeat = (row: Row): boolean => keyOf(row).startsWith('heartbeat:');

const linesOf = ({ logLines }: History, message: string): number =>
  logLines.filter(({ stage, text }) => stage === 'heartbeat' && text.includes(`"${message}"`)).length;
