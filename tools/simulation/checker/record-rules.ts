import { isDeepStrictEqual } from 'node:util';
import type { QueuedMessage } from '../history.ts';
import { bytesOf, type Evidence, isAdmitted, type KnownBody, readingsOf } from './evidence.ts';
import { type SentBody, sentKey, sha256Of } from './sent-bodies.ts';
import type { Mode } from './signed-body.ts';
import { bodyKey, type StoredBody, storedRows } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const unrecorded = violationsOf('recorded');
const invented = violationsOf('invented');
const erasure = violationsOf('erased');

export function recordViolations(evidence: Evidence): readonly Violation[] {
  const expired = storedRows(
    evidence.history.expiredRows.filter(({ table }) => table === 'events').map(({ row }) => row),
  );
  const queued = queuedBodies(evidence);
  const rowsOf = Map.groupBy(evidence.stored.bodies, (row) => sentKey(row.mode, row.sha256));
  const ofSent = [...evidence.sent.bodies].flatMap(([key, sent]) =>
    countViolations(sent, rowsOf.get(key) ?? [], queued.has(key) || isDuplicate(evidence, sent)),
  );
  const expiredBodies = new Set(expired.ownBodies.keys());
  const unlocked = expired.bodies.map(
    (row) => `${nameOf(row)} has expired: it locks the id of its event, or waits, and never may.`,
  );
  return [
    ...ofSent,
    ...unrecorded(...unlocked),
    ...evidence.known.flatMap((body) => rowViolations(evidence, body, expiredBodies)),
    ...evidence.stored.bodies.flatMap((row) => inventedViolations(evidence, row)),
  ];
}

const nameOf = ({ mode, place, eventId, sha256 }: StoredBody): string =>
  `The ${mode} ${place} row of ${eventId === undefined ? 'body' : quoted(eventId)} ${short(sha256)}`;
const short = (sha256: string): string => `(SHA-256 ${sha256.slice(0, 12)}…)`;

function describe({ reading, sha256, mode }: SentBody): string {
  const event = 'event' in reading ? `event ${quoted(reading.event.id)}` : 'body that is no event';
  return `the ${mode} ${event} ${short(sha256)}`;
}

/** One row for each body; one more for a body in quarantine that an operator has admitted. */
function countViolations(
  sent: SentBody,
  rows: readonly StoredBody[],
  isElsewhere: boolean,
): readonly Violation[] {
  const others = rows.filter((row) => row.place !== 'quarantine' || !isAdmitted(row));
  if (others.length > 1) {
    const places = others.map(({ place }) => place).join(', ');
    return unrecorded(`${rows.length} rows hold ${describe(sent)}: ${places}. Only one may.`);
  }
  if (sent.acknowledged === undefined || rows.length > 0 || isElsewhere) return [];
  return unrecorded(`LOST: webhook ${sent.acknowledged} got 202, and no row holds ${describe(sent)}.`);
}

/** Other bytes that a version read as some version read another body under their id. */
function isDuplicate({ history, known }: Evidence, sent: SentBody): boolean {
  const readings = readingsOf(sent, history, { isGone: true });
  return known.some(
    ({ row, sent: first }) =>
      (row.place === 'event' || row.place === 'conflict') &&
      row.mode === sent.mode &&
      readingsOf(first, history, { isGone: true }).some((event) =>
        readings.some((reading) => isDeepStrictEqual(reading, event)),
      ),
  );
}

function inventedViolations({ sent }: Evidence, row: StoredBody): readonly Violation[] {
  const name = nameOf(row);
  const body = sent.bodies.get(sentKey(row.mode, row.sha256));
  if (body?.mayBeStored) return [];
  if (body !== undefined) return invented(`${name} holds a body of which every delivery was refused.`);
  const other = sent.bodies.get(sentKey(row.mode === 'live' ? 'sandbox' : 'live', row.sha256));
  if (other === undefined) return invented(`${name} holds a body that no key of the account signed.`);
  return invented(`${name} holds a body that only a ${other.mode} key signed: modes have met.`);
}

function rowViolations(
  { stored }: Evidence,
  { row, sent, readings }: KnownBody,
  expiredBodies: ReadonlySet<string>,
): readonly Violation[] {
  const name = nameOf(row);
  const bytes = bytesOf(stored, row);
  const isSigned = row.signature !== undefined && sent.signatures.has(row.signature);
  const isExpired = expiredBodies.has(bodyKey(row.mode, row.eventId ?? '', row.sha256));
  const isRead =
    sent.reading.kind === 'unrecognised' || readings.some((one) => isDeepStrictEqual(one, row.reading));
  return [
    ...(row.erased && bytes ? erasure(`${name} was erased by ${row.erased.by} and has its bytes.`) : []),
    ...(bytes || row.erased || isExpired ? [] : unrecorded(`${name} has lost its bytes.`)),
    ...(bytes?.equals(sent.bytes) === false ? unrecorded(`${name} holds other bytes than were sent.`) : []),
    ...(isSigned ? [] : unrecorded(`${name} has not the signature with which it was sent.`)),
    ...placeViolations(sent, row, name),
    ...(isRead
      ? []
      : unrecorded(`${name} has the reading ${show(row.reading)}; its bytes say ${readings.map(show)}.`)),
  ];
}

const show = (reading: object | undefined): string => JSON.stringify(Object.values(reading ?? {}));

/** A body stands where what it says belongs. */
function placeViolations({ reading }: SentBody, row: StoredBody, name: string): readonly Violation[] {
  if (reading.kind === 'unrecognised')
    return row.place === 'unrecognised' ? [] : unrecorded(`${name} is no event.`);
  if (row.eventId !== reading.event.id)
    return unrecorded(`${name} says in its signed bytes that it is the event ${quoted(reading.event.id)}.`);
  if (reading.kind === 'event' && row.place === 'quarantine')
    return unrecorded(`${name} is in quarantine for ${row.reason}, and nothing in its bytes is wrong.`);
  if (row.place === 'quarantine' && reading.kind === 'quarantined' && row.reason !== reading.reason)
    return unrecorded(`${name} is in quarantine for ${row.reason}; its bytes say ${reading.reason}.`);
  return [];
}

/** What still waits in a queue, by mode and SHA-256. */
function queuedBodies({ history: { queues } }: Evidence): ReadonlySet<string> {
  const messages = [...queues.events, ...queues.deadLetters];
  return new Set(messages.flatMap((message) => keyOfMessage(message) ?? []));
}

export function keyOfMessage({ body, attributes }: QueuedMessage): string | undefined {
  const mode = attributes['mode'];
  if (mode !== 'live' && mode !== 'sandbox') return undefined;
  return sentKey(mode as Mode, sha256Of(Buffer.from(body, 'base64')));
}
