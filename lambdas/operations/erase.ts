import type * as api from '@payhooks/order-client';
import * as v from 'valibot';
import { consumerInFlightSeconds } from '../contract/limits.ts';
import { erasedEventsPageMax } from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import { eventIdOf } from '../domain/fact.ts';
import type { RouteRequest } from '../http-api/http-api.ts';
import { cursorText, readCursorText, wrongField } from '../http-api/parameters.ts';
import { busy, conflict, notFound, ProblemError } from '../http-api/problem.ts';
import { waitingFor } from '../order-query/order-surroundings.ts';
import type { Decision } from '../ports/acts.ts';
import type { EventRow } from '../ports/rows.ts';
import type { Changes } from '../ports/stores.ts';
import { changesOfRows } from '../projection/project.ts';
import { type ActInProgress, leftAlone, type OperationsParts, openAct, untilUnchanged } from './act.ts';
import { fields, readActRequest, wrongCursor } from './fields.ts';
import { missing, type NamedBody, nameBody } from './named-body.ts';

/** The key of the order, and the id of the last event of a page. */
const cursorFormat = v.strictTuple([v.string(), v.string()]);

/** `POST /operations/erase`: the bodies of events go, and with them what they hold about the customer. */
export async function postErase(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<api.EraseResult> {
  const { event_id, order_id, body_sha256, cursor } = fields;
  const request = readActRequest(body, { event_id, order_id, body_sha256, cursor });
  const act = openAct(parts, 'erase', { ...request, caller });
  const { order_id: orderId, cursor: given } = request;
  const subjects = [request.event_id, orderId, request.body_sha256].filter((id) => id !== undefined);
  if (subjects.length !== 1)
    throw wrongField('event_id', request.event_id, 'one of event_id, order_id and body_sha256');
  if (orderId === undefined && given !== undefined)
    throw wrongField('cursor', given, 'no cursor, which only an order_id has');
  if (orderId !== undefined) {
    const [key, after = ''] = given === undefined ? [] : (readCursorText(cursorFormat, given) ?? []);
    if (given !== undefined && key !== orderKey(act.mode, orderId)) throw wrongCursor(given);
    return eraseOrder(parts, act, { orderId, after });
  }
  const named = nameBody(act.mode, request);
  const erasure = await untilUnchanged(() => eraseBodies(parts, act, { named }));
  if (erasure === 'missing') throw missing(named);
  return respond(act, [erasure], null);
}

interface Erasure {
  readonly events: Changes['events'];
  readonly erased: api.EraseResult['erased'];
  /** Of what was erased before. */
  readonly earlier: Decision | undefined;
}

/**
 * No repair, because nothing follows from a body that was read. Of an order only what belongs to it: a
 * conflicting body may belong to another one, and to its customer.
 */
async function eraseBodies(
  parts: OperationsParts,
  act: ActInProgress,
  { named, orderId }: { readonly named: NamedBody; readonly orderId?: string },
): Promise<Erasure | 'missing' | undefined> {
  const { key, subject, eventId = '' } = named;
  const found = await parts.store.bodiesOf(key);
  if (found.kind !== 'found') throw leftAlone(eventId, found.kind);
  if (found.rows.length === 0) return 'missing';
  const meant = found.rows.filter(belongsTo(orderId));
  refuse(parts, meant);
  const earlier = meant.find(({ erased }) => erased !== undefined)?.erased;
  const open = meant.filter(({ erased }) => erased === undefined);
  if (open.length === 0) return { events: [], erased: [], earlier };
  const after = found.rows.map((row) => (open.includes(row) ? withoutBody(row, act.decision) : row));
  const events = changesOfRows({ ...parts, now: parts.now() }, found.rows, after);
  const about = {
    subject: { ...subject, ...(orderId && { orderId }) },
    partitions: [key, ...(orderId ? [orderKey(act.mode, orderId)] : [])],
  };
  const result = await act.commit(about, { events });
  if (result === 'too_large') throw leftAlone(eventId, 'too_large');
  const erased = open.flatMap(({ body, bodySha256 }) =>
    body ? [{ event_id: named.eventId ?? null, body_sha256: bodySha256, bytes: body.length }] : [],
  );
  return result === 'committed' ? { events, erased, earlier } : undefined;
}

/** A body that names no order may be about any order that has its event. */
const belongsTo =
  (orderId: string | undefined) =>
  ({ reading, assignedOrderIds }: EventRow): boolean => {
    const named = reading?.orderId == null ? assignedOrderIds : [reading.orderId];
    return orderId === undefined || named.length === 0 || named.includes(orderId);
  };

const withoutBody = ({ body: _, bodyRow: __, ...row }: EventRow, erased: Decision): EventRow => ({
  ...row,
  erased,
});

function refuse({ eventRetentionDays, now }: OperationsParts, rows: readonly EventRow[]): void {
  const waiting = rows.filter((row) => row.waiting !== undefined);
  if (waiting.length > 0) throw whatWaits(waiting.map(({ eventId, bodySha256 }) => eventId ?? bodySha256));
  // A consumer may be about to store the body in its own row, which comes after the row of the event.
  const newest = Math.max(...rows.map(({ recordedAt }) => Date.parse(recordedAt)));
  const seconds = Math.ceil((newest - now().getTime()) / 1000) + consumerInFlightSeconds;
  if (eventRetentionDays !== undefined && seconds > 0) throw busy(seconds);
}

function whatWaits(waiting: readonly string[]): ProblemError {
  const ids = [...new Set(waiting)].slice(0, erasedEventsPageMax).map((id) => JSON.stringify(id));
  return conflict(`What waits for a person cannot be erased: ${ids.join(', ')}. Admit or dismiss it first.`);
}

async function eraseOrder(
  parts: OperationsParts,
  act: ActInProgress,
  { orderId, after }: { readonly orderId: string; readonly after: string },
): Promise<api.EraseResult> {
  const order = { mode: act.mode, id: orderId };
  const key = orderKey(act.mode, orderId);
  const { waiting: open } = await waitingFor(parts.waiting, order);
  if (open.length > 0) throw whatWaits(open.map((event) => event.event_id));
  const facts = (await parts.orders.get(order))?.facts ?? [];
  const judged = await parts.acts.actsOf(key, { isComplete: true });
  if (facts.length === 0 && judged.length === 0)
    throw notFound(`No ${act.mode} event has named the order ${JSON.stringify(orderId)}.`);
  // What an operator has judged may not be in its facts.
  const all = new Set([...facts.map(eventIdOf), ...judged.map(({ eventId }) => eventId)]);
  const left = [...all].filter((id) => id !== undefined && id > after).sort() as string[];
  const erasures: Erasure[] = [];
  let last: string | undefined;
  try {
    for (const event_id of left.slice(0, erasedEventsPageMax)) {
      const named = nameBody(act.mode, { event_id });
      const erasure = await untilUnchanged(() => eraseBodies(parts, act, { named, orderId }));
      if (erasure !== 'missing') erasures.push(erasure);
      last = event_id;
    }
  } catch (error) {
    // What was erased is shown, and the next page begins with the event that was refused.
    if (last === undefined || !(error instanceof ProblemError)) throw error;
  }
  return respond(act, erasures, last === left.at(-1) ? null : cursorText([key, last]));
}

function respond(
  act: ActInProgress,
  erasures: readonly Erasure[],
  next_cursor: string | null,
): Promise<api.EraseResult> {
  const isChanged = erasures.some(({ events }) => events.length > 0);
  const earlier = isChanged ? undefined : erasures[0]?.earlier;
  const erased = erasures.flatMap((erasure) => erasure.erased);
  return act.respond(erasures, { isChanged, earlier }, { erased, next_cursor });
}
