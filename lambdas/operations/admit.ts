import { quarantineRow } from '../consumer/event-rows.ts';
import { addDelivery } from '../consumer/redeliver.ts';
import { eventKey } from '../contract/schema.ts';
import type { RouteRequest } from '../http-api/http-api.ts';
import { wrongField } from '../http-api/parameters.ts';
import { conflict } from '../http-api/problem.ts';
import type { Judgement } from '../ports/acts.ts';
import { type EventRow, isOwn } from '../ports/rows.ts';
import { counts } from '../projection/layout.ts';
import { changesOfRows, type Plan } from '../projection/project.ts';
import type { Intention } from '../projection/repair.ts';
import { carriedOut, type OperationsParts, openAct } from './act.ts';
import { fields, readActRequest } from './fields.ts';
import { findJudgedRow, judgedBy, judgedRow, kindOf, nameBody, nameOf } from './named-body.ts';

/** `POST /operations/admit`: what waits counts, under the order that is named. */
export async function postAdmit(parts: OperationsParts, { body, caller }: RouteRequest) {
  const { event_id, body_sha256, event_name, order_id } = fields;
  const request = readActRequest(body, { event_id, body_sha256, event_name, order_id });
  if (request.event_name !== undefined)
    throw conflict(
      `An event name is not admitted. Give ${JSON.stringify(request.event_name)} a meaning in the setting ` +
        'eventMeanings, deploy, and replay its events; or dismiss it.',
    );
  const act = openAct(parts, 'admit', { ...request, caller });
  const { mode } = act;
  const named = nameBody(mode, request);
  const given = request.order_id;
  // The row of a body without a seal, or that an earlier version could not read.
  const ofHash = named.eventId === undefined ? await parts.events.find(named.key) : [];
  const bodyRow = named.eventId === undefined ? findJudgedRow(ofHash, named) : undefined;
  const eventId = named.eventId ?? readAgain(parts, bodyRow as EventRow).eventId;
  const about = {
    subject: { ...named.subject, eventId, ...(given && { orderId: given }) },
    partitions: [eventKey(mode, eventId), named.key],
  };
  const judged: Judgement = { verdict: 'admitted', ...act.decision, ...(given && { orderId: given }) };
  const result = await act.repair({ mode, eventId }, about, (rows): Intention & { earlier?: Judgement } => {
    const row = bodyRow ?? findJudgedRow(rows, named);
    // One that was admitted under no order may still be given one.
    const isGiven = row.waiting === 'unassigned' && given !== undefined;
    const earlier = row.judged?.verdict === 'admitted' && !isGiven ? row.judged : undefined;
    if (earlier === undefined) return intentionFor(parts, { rows, row, judged, ofHash });
    if (given !== undefined && given !== earlier.orderId && given !== row.reading?.orderId)
      throw judgedBy(row, earlier);
    return { rows, earlier };
  });
  const { plan, intention, isChanged } = carriedOut(result, eventId);
  return act.respond([plan], { isChanged, earlier: intention.earlier });
}

/** A body as this version reads it. Throws ProblemError for one that it cannot read, or that is gone. */
function readAgain({ classify }: OperationsParts, row: EventRow) {
  const { body, mode, erased } = row;
  const gone = erased ? 'was erased' : 'has expired';
  if (body === undefined) throw conflict(`${nameOf(row)} cannot be admitted: its body ${gone}. Dismiss it.`);
  const read = classify({ body, mode });
  if (read.kind !== 'unrecognised') return { ...read, body };
  throw conflict(
    `${nameOf(row)} is no event for this version either (${read.reason}), so there is nothing to admit. ` +
      'Deploy a version that reads it, or dismiss it.',
  );
}

interface Judging {
  readonly rows: readonly EventRow[];
  readonly row: EventRow;
  readonly judged: Judgement;
  /** The rows under the hash of the body: without a seal, or no event, or both. */
  readonly ofHash: readonly EventRow[];
}

/** What the admission of a row means for the rows under its id. Throws ProblemError for a wrong order. */
function intentionFor(parts: OperationsParts, judging: Judging): Intention {
  const { rows, row, judged } = judging;
  const { reading, assignedOrderIds, outcome } = row;
  const given = judged.orderId;
  const kind = kindOf(row);
  if (kind === 'quarantined' || kind === 'unrecognised' || kind === 'unsealed')
    return recordAnew(parts, judging);
  const orderId = reading?.orderId ?? assignedOrderIds[0];
  if (kind === undefined) {
    const isCounted = outcome === 'applied';
    if (isCounted && (given === undefined || given === orderId || assignedOrderIds.includes(given)))
      return { rows };
    const state = isCounted
      ? `it is applied to the order ${JSON.stringify(orderId)}. It counts in one order only.`
      : `its outcome is ${outcome}. There is nothing to admit.`;
    throw conflict(`${nameOf(row)} does not wait: ${state}`);
  }
  const own = rows.find(isOwn)?.reading;
  // Its orders are those of the event, which names none.
  const isShared =
    kind === 'conflict' && own?.orderId === null && reading?.transactionId === (own.transactionId ?? '');
  checkOrder(given, orderId, !isShared);
  const admitted = rows.map((other) => (other === row ? judgedRow(parts, row, judged) : other));
  return { rows: admitted, check: refuseFull(row) };
}

/** `known`: the order of the event. */
function checkOrder(given: string | undefined, known: string | undefined, isNeeded: boolean): void {
  if (known !== undefined && given !== undefined && given !== known)
    throw wrongField('order_id', given, `${JSON.stringify(known)}, the order of the event`);
  if (known === undefined && given === undefined && isNeeded)
    throw wrongField('order_id', undefined, 'the order of the event, because it names none');
}

/**
 * The body is recorded as if its first delivery had been in order, and then given the order if it names none.
 */
function recordAnew(parts: OperationsParts, { rows, row, judged, ofHash }: Judging): Intention {
  const read = readAgain(parts, row);
  const { mode, bodySha256, signature, keyId, receivedAt } = row;
  const message = { body: read.body, mode, keyId, signature, receivedAt, requestId: bodySha256 };
  const received = { message, bodySha256 };
  const settings = { now: parts.now(), eventRetentionDays: parts.eventRetentionDays };
  const ended = judgedRow(parts, row, judged);
  // They have a key of their own.
  const also = changesOfRows(
    settings,
    ofHash,
    ofHash.map((other) => (other.waiting || other === row ? judgedRow(parts, other, judged) : other)),
  );
  if (row.eventId === undefined && read.kind === 'quarantined') {
    const quarantined = quarantineRow(received, read, settings);
    const isKnown = rows.some(({ record }) => record === quarantined.record);
    return { rows: isKnown ? rows : [...rows, quarantined], also };
  }
  checkOrder(judged.orderId, read.reading.orderId ?? undefined, row.reason === 'order_id_invalid');
  const others = rows.map((other) => (other === row ? ended : other));
  const added = addDelivery(others, { parts, received, event: read, settings });
  const isMeant = added.isNew || added.row.waiting || !counts(added.row, rows.find(isOwn) ?? added.row);
  const all = added.rows.map((other) =>
    other === added.row && isMeant ? judgedRow(parts, other, judged) : other,
  );
  return { rows: all, also, check: refuseFull(row) };
}

/** An order that is still full changes nothing. */
const refuseFull =
  (judged: EventRow) =>
  ({ events }: Plan): void => {
    const refused = events.find(
      ({ after }) => after.bodySha256 === judged.bodySha256 && after.reason === 'order_refused',
    )?.after;
    if (refused === undefined) return;
    const orderId = refused.reading?.orderId ?? refused.assignedOrderIds[0];
    throw conflict(
      `${nameOf(judged)} stays: the row of the order ${JSON.stringify(orderId)} is full. ` +
        'See too_many_events in the runbook.',
    );
  };
