import { isDeepStrictEqual } from 'node:util';
import type { History, Row } from '../history.ts';
import { type KnownOrders, knownOrders, type RecordedBody } from './known-orders.ts';
import { type SentBodies, type SentBody, sentBodies, sentKey } from './sent-bodies.ts';
import type { Mode, Reading } from './signed-body.ts';
import { type StoredBody, type StoredRows, storedRows, textOf } from './stored-rows.ts';

/** What all rules judge: what was sent, what is stored, and what should follow from it. */
export interface Evidence {
  readonly history: History;
  readonly sent: SentBodies;
  readonly stored: StoredRows;
  /** The rows of bodies that were sent, with what the bytes say; of other rows nothing can be known. */
  readonly known: readonly KnownBody[];
  readonly expected: Readonly<Record<Mode, Expected>>;
  /** With what a former version read in the bodies of its time, in addition to what they say. */
  readonly everRead: Readonly<Record<Mode, KnownOrders>>;
  /** By mode and order id. */
  readonly orderRows: ReadonlyMap<string, Row>;
}

export interface KnownBody {
  readonly row: StoredBody;
  readonly sent: SentBody;
  /** The body as it may count; `undefined` for one that a person must judge first. */
  readonly recorded: RecordedBody | undefined;
  /** Whether an operator has begun to admit it, and not finished. */
  readonly isClaimed: boolean;
}

/** The orders of a mode, with everything that is recorded. */
export interface Expected {
  readonly all: KnownOrders;
  /** Without what an operator has begun to admit, and not finished: either is right. */
  readonly settled: KnownOrders;
}

export const modes: readonly Mode[] = ['live', 'sandbox'];
export const orderKey = (mode: Mode, orderId: string): string => `${mode}:order:${orderId}`;

export function gatherEvidence(history: History): Evidence {
  const sent = sentBodies(history);
  const stored = storedRows(history.tables.events);
  const rows = stored.bodies.flatMap((row) => {
    const body = sent.bodies.get(sentKey(row.mode, row.sha256));
    return body === undefined ? [] : [{ row, sent: body }];
  });
  const admissions = new Map(
    rows
      .filter(({ row }) => row.place === 'quarantine' && isAdmitted(row))
      .map(({ row }) => [sentKey(row.mode, row.sha256), row]),
  );
  const known = rows.map(({ row, sent: body }): KnownBody => {
    const released = admissions.get(sentKey(row.mode, row.sha256));
    return { row, sent: body, ...recordedBody(row, body.reading, released) };
  });
  const expectedOf = (mode: Mode): Expected => {
    const own = known.filter(({ row }) => row.mode === mode);
    const settled = own.flatMap(({ recorded, isClaimed }) =>
      recorded && isClaimed ? [{ ...recorded, admitted: undefined }] : (recorded ?? []),
    );
    return {
      all: knownOrders(own.flatMap(({ recorded }) => recorded ?? [])),
      settled: knownOrders(settled),
    };
  };
  const everReadOf = (mode: Mode): KnownOrders => {
    const own = known.filter(({ row }) => row.mode === mode);
    return knownOrders(own.flatMap((body) => [body.recorded ?? [], formerlyRead(body, history)].flat()));
  };
  return {
    ...{ history, sent, stored, known },
    expected: { live: expectedOf('live'), sandbox: expectedOf('sandbox') },
    everRead: { live: everReadOf('live'), sandbox: everReadOf('sandbox') },
    orderRows: new Map(history.tables.orders.map((row) => [textOf(row, 'order_key') ?? '', row])),
  };
}

/** Another event in the same body; none where the former version never had it, or read the same. */
function formerlyRead({ recorded, sent }: KnownBody, { readAnewFrom = 0 }: History): readonly RecordedBody[] {
  const { formerReading: reading, firstAt } = sent;
  if (recorded === undefined || reading.kind !== 'event' || firstAt >= readAnewFrom) return [];
  return isDeepStrictEqual(reading.event, recorded.event) ? [] : [{ ...recorded, event: reading.event }];
}

export const isAdmitted = ({ judged }: StoredBody): boolean => judged?.verdict === 'admitted';

/** `released`: the row of the same body in quarantine, once an operator has admitted it. */
function recordedBody(
  row: StoredBody,
  reading: Reading,
  released: StoredBody | undefined,
): Pick<KnownBody, 'recorded' | 'isClaimed'> {
  const isHeld = reading.kind === 'quarantined' && released === undefined;
  if (row.place === 'quarantine' || row.place === 'unrecognised' || reading.kind === 'unrecognised' || isHeld)
    return { recorded: undefined, isClaimed: false };
  const isFirst = row.place === 'event';
  const admission = isAdmitted(row) ? row : isFirst ? released : undefined;
  const orderId = admission?.judged?.orderId ?? null;
  // A first body counts anyway: an admission only gives it the order that it does not name.
  const admitted = admission === undefined || (isFirst && orderId === null) ? undefined : { orderId };
  return {
    recorded: { event: reading.event, isFirst, admitted },
    isClaimed: admission?.waiting !== undefined,
  };
}
