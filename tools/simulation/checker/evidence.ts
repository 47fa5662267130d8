import { isDeepStrictEqual } from 'node:util';
import type { History } from '../history.ts';
import { type Projection, project, type ReadBody } from './projection.ts';
import { type SentBody, sentBodies, sentKey } from './sent-bodies.ts';
import type { Mode, SignedEvent } from './signed-body.ts';
import { bodyKey, type StoredBody, type StoredRows, storedRows, textOf } from './stored-rows.ts';

/** What all rules judge: what was sent, what is stored, and what should follow from it. */
export type Evidence = ReturnType<typeof gatherEvidence>;

export interface KnownBody {
  readonly row: StoredBody;
  readonly sent: SentBody;
  /** What a version may have stored as its reading; one, unless a deployment changed what is read. */
  readonly readings: readonly SignedEvent[];
  /** `undefined` for a body that a person must judge first. */
  readonly read: ReadBody | undefined;
}

export const modes: readonly Mode[] = ['live', 'sandbox'];
export const orderKey = (mode: Mode, orderId: string): string => `${mode}:order:${orderId}`;

export function gatherEvidence(history: History) {
  const sent = sentBodies(history);
  const stored = storedRows(history.tables.events);
  const rows = stored.bodies.flatMap((row) => {
    const body = sent.bodies.get(sentKey(row.mode, row.sha256));
    return body === undefined ? [] : [{ row, sent: body }];
  });
  const released = new Map(
    stored.bodies
      .filter((row) => row.place === 'quarantine' && isAdmitted(row))
      .map((row) => [sentKey(row.mode, row.sha256), row]),
  );
  /** The rows of bodies that were sent; of other rows nothing can be known. */
  const known = rows.map(({ row, sent: body }): KnownBody => {
    const isGone = bytesOf(stored, row) === undefined;
    const readings = readingsOf(body, history, { isGone });
    return { row, sent: body, readings, read: readBody(row, body, { readings, released }) };
  });
  const projected = (mode: Mode, bodiesOf: (body: KnownBody) => readonly ReadBody[]): Projection =>
    project(known.filter(({ row }) => row.mode === mode).flatMap(bodiesOf));
  const expected = (mode: Mode) => projected(mode, ({ read }) => (read === undefined ? [] : [read]));
  const everRead = (mode: Mode) =>
    projected(mode, ({ sent: body, read }) => {
      if (read === undefined) return [];
      const all = readingsOf(body, history, { isGone: true });
      return all.map((event) => ({ ...read, event, admitted: read.admitted ?? { orderId: null } }));
    });
  return {
    ...{ history, sent, stored, known },
    /** What follows from the stored readings and judgements. */
    expected: { live: expected('live'), sandbox: expected('sandbox') },
    /** The same of everything that any version may ever have read in these bodies. */
    everRead: { live: everRead('live'), sandbox: everRead('sandbox') },
    /** By mode and order id. */
    orderRows: new Map(history.tables.orders.map((row) => [textOf(row, 'order_key') ?? '', row])),
  };
}

/** The stored bytes; `undefined` when they have expired or were erased. */
export const bytesOf = ({ ownBodies }: StoredRows, { mode, eventId, sha256, body }: StoredBody) =>
  body ?? ownBodies.get(bodyKey(mode, eventId ?? '', sha256));

export const isAdmitted = ({ judged }: StoredBody): boolean =>
  judged?.verdict === 'admitted' || judged?.admittedAt !== undefined;

/**
 * What may be stored as the reading of a body: that of today, since everything was replayed at the end; and
 * that of a former version of whose time the body is, once its bytes are gone, which no replay can read.
 */
export function readingsOf(
  { reading, formerReading, firstAt }: SentBody,
  { formerly }: History,
  { isGone }: { readonly isGone: boolean },
): readonly SignedEvent[] {
  if (reading.kind === 'unrecognised') return [];
  const mayBeFormer = isGone && formerly !== undefined && firstAt < formerly.until;
  if (!mayBeFormer || formerReading.kind === 'unrecognised') return [reading.event];
  const { event: former } = formerReading;
  // Without its bytes a replay still gives an event the meaning that its name has now.
  const all = [reading.event, former, { ...former, meaning: reading.event.meaning }];
  return all.filter((event, index) => all.findIndex((other) => isDeepStrictEqual(other, event)) === index);
}

/** `released`: the rows in quarantine that an operator has admitted, by mode and SHA-256. */
function readBody(
  row: StoredBody,
  { reading }: SentBody,
  more: Pick<KnownBody, 'readings'> & { readonly released: ReadonlyMap<string, StoredBody> },
): ReadBody | undefined {
  const released = more.released.get(sentKey(row.mode, row.sha256));
  const isHeld = reading.kind === 'quarantined' && released === undefined;
  if ((row.place !== 'event' && row.place !== 'conflict') || isHeld) return undefined;
  const event = more.readings.find((one) => isDeepStrictEqual(one, row.reading)) ?? more.readings[0];
  const admission = isAdmitted(row) ? row : released;
  const admitted = admission && { orderId: admission.judged?.orderId ?? null };
  return event && { event, sha256: row.sha256, isFirst: row.place === 'event', admitted };
}
