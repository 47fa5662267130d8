import { type Classification, classify } from '../consumer/classify.ts';
import type { Received } from '../consumer/receive.ts';
import type { Routed } from '../consumer/record-event.ts';
import { isSameDestination, type Route, routesOfEvent } from '../consumer/routes.ts';
import { eventRecord } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { eventFact } from '../domain/fact.ts';
import { type PaymentEvent, parsePaymentEvent } from '../domain/payment-event.ts';
import type { EventRow } from '../ports/stores.ts';
import { eventOf } from './act.ts';
import { FieldError } from './act-request.ts';
import type { JudgedRow } from './judged-row.ts';

/** The order that the operator gives an event, and with it its transaction, which must have no other. */
interface Assignment {
  readonly orderId: string;
  readonly transactionId: string | undefined;
}

/** What an admission does with a row. */
export type Admission =
  /** The fact goes to its order; the event has its row. */
  | {
      readonly kind: 'apply';
      readonly orderId: string | undefined;
      readonly routed: Routed;
      readonly fact: string;
      readonly assigns?: Assignment;
    }
  /** The body is recorded as if it were in order, and then given the order if the event names none. */
  | {
      readonly kind: 'record';
      readonly orderId: string | undefined;
      readonly received: Received;
      readonly fact: string;
      readonly assigns?: Assignment;
    }
  /** The state of the row forbids it; the text names why. */
  | { readonly kind: 'refused'; readonly detail: string };

export interface AdmissionRequest extends JudgedRow {
  readonly waitingKind: WaitingKind;
  /** The order that the operator names. */
  readonly given: string | undefined;
  readonly meaningOf: MeaningOf;
}

/** Decides how a row is admitted. Throws FieldError when the order is missing, or another one. */
export function planAdmission(request: AdmissionRequest): Admission {
  switch (request.waitingKind) {
    case 'unassigned':
      return planAssignment(request.row, chosenOrder(request));
    case 'order_refused':
      return planRetry(request);
    case 'conflict':
      return planConflict(request);
    case 'quarantined':
    case 'unrecognised':
      return planRecording(request);
    case 'event_name':
      throw new TypeError('The row of an event name is not the row of an event.');
  }
}

/** The event gets the order that the operator names, and so does all that waits for its transaction. */
export function planAssignment(row: EventRow, orderId: string): Admission {
  const { mode, fact, transactionId } = row;
  if (fact === undefined) return withoutBody(row);
  const routed = { mode, routes: assignmentRoutes(row, fact, orderId), own: { row, fact } };
  return { kind: 'apply', orderId, routed, fact, assigns: { orderId, transactionId } };
}

function assignmentRoutes(
  { transactionId }: Pick<EventRow, 'transactionId'>,
  fact: string,
  orderId: string,
): readonly Route[] {
  if (transactionId === undefined) return [{ kind: 'order', fact, orderId }];
  return [
    // Rows of 0.2.0 did not add it.
    { kind: 'transaction', fact, transactionId },
    { kind: 'payment', fact, orderId, transactionId },
  ];
}

/** The merge is tried again. Only an event that no order can have yet may get another one. */
function planRetry({ row, given, meaningOf }: AdmissionRequest): Admission {
  const { mode, fact, orderId, assignedOrderId, transactionId } = row;
  if (fact === undefined) return withoutBody(row);
  const known = orderId ?? assignedOrderId;
  const isBound = orderId !== undefined || transactionId !== undefined;
  const chosen = isBound || given === undefined ? expectOrder(given, known) : given;
  const routes =
    orderId === undefined ? assignmentRoutes(row, fact, chosen) : routesOfEvent(row, fact, meaningOf);
  return { kind: 'apply', orderId: chosen, routed: { mode, routes, own: { row, fact } }, fact };
}

/** Its fact goes to its order too, where one body of the event counts. */
function planConflict({ row, siblings, given, meaningOf }: AdmissionRequest): Admission {
  const { mode, orderId, transactionId } = row;
  const event = row.body && eventIn(row.body);
  const fact = row.fact ?? (event && eventFact(event));
  if (fact === undefined) return withoutBody(row);
  if (orderId !== undefined) {
    const routes = routesOfEvent(row, fact, meaningOf);
    return { kind: 'apply', orderId: expectOrder(given, orderId), routed: { mode, routes }, fact };
  }
  const first = siblings.find(({ record }) => record === eventRecord.event);
  if (given === undefined && first !== undefined && isSameDestination(first, row) && transactionId) {
    // Both facts are where the transaction is already.
    const routes: readonly Route[] = [{ kind: 'transaction', fact, transactionId }];
    return { kind: 'apply', orderId: undefined, routed: { mode, routes }, fact };
  }
  const chosen = chosenOrder({ given });
  const routed = { mode, routes: assignmentRoutes(row, fact, chosen) };
  const assigns = { orderId: chosen, transactionId };
  return { kind: 'apply', orderId: chosen, routed, fact, assigns };
}

function planRecording({ row, waitingKind, given }: AdmissionRequest): Admission {
  if (row.body === undefined) return withoutBody(row);
  const message = messageOf(row, row.body);
  const classification =
    waitingKind === 'quarantined' ? classifyInOrder(row.body) : classify({ body: row.body, mode: row.mode });
  if (classification === undefined || classification.kind === 'unrecognised') {
    const reason = classification?.reason ?? row.reason ?? 'unreadable';
    return {
      kind: 'refused',
      detail:
        `${eventOf(row)} is no event for this version either (${reason}), so there is nothing to admit. ` +
        'Deploy a version that reads it, or dismiss it.',
    };
  }
  const { event } = classification;
  const named = event.order !== null && event.order !== 'invalid' ? event.order.id : undefined;
  const isQuarantinedAgain = classification.kind === 'quarantined';
  const orderId =
    named === undefined ? (isInvalidOrder(row) ? chosenOrder({ given }) : given) : expectOrder(given, named);
  const received = { messageId: row.bodySha256, message, bodySha256: row.bodySha256, classification };
  const plan = { kind: 'record', orderId, received, fact: eventFact(event) } as const;
  if (named !== undefined || orderId === undefined || isQuarantinedAgain) return plan;
  return { ...plan, assigns: { orderId, transactionId: event.transaction.id ?? undefined } };
}

const isInvalidOrder = ({ reason }: EventRow): boolean => reason === 'order_id_invalid';

/** What the body is without its quarantine: in the mode of its key, and without invalid ids. */
function classifyInOrder(
  body: Uint8Array,
): Extract<Classification, { kind: 'applied' | 'recorded' }> | undefined {
  const parsed = eventIn(body);
  if (parsed === undefined) return undefined;
  const transaction = { ...parsed.transaction, idInvalid: false };
  const event = { ...parsed, transaction, order: parsed.order === 'invalid' ? null : parsed.order };
  if (event.order === null) return { kind: 'recorded', event };
  return { kind: 'applied', event, orderId: event.order.id, fact: eventFact(event) };
}

function eventIn(body: Uint8Array): PaymentEvent | undefined {
  const parsed = parsePaymentEvent(body);
  return parsed.ok ? parsed.event : undefined;
}

/** The message that brought the body, as far as its row holds it. */
const messageOf = ({ mode, keyId, signature, receivedAt, bodySha256 }: EventRow, body: Uint8Array) => ({
  body,
  mode,
  keyId,
  ...(signature !== undefined && { signature }),
  receivedAt,
  requestId: bodySha256,
});

function chosenOrder({ given }: Pick<AdmissionRequest, 'given'>): string {
  if (given !== undefined) return given;
  throw new FieldError('order_id', undefined, 'the order of the event, because it names none');
}

function expectOrder(given: string | undefined, known: string | undefined): string {
  if (known === undefined || (given !== undefined && given !== known)) {
    throw new FieldError('order_id', given, `${JSON.stringify(known)}, the order of the event`);
  }
  return known;
}

const withoutBody = (row: EventRow): Admission => ({
  kind: 'refused',
  detail:
    `${eventOf(row)} cannot be admitted: its body ${row.erased ? 'was erased' : 'has expired'}. ` +
    'A new delivery of the event has it again.',
});
