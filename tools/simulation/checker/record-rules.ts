import type { QueuedMessage } from '../history.ts';
import { factText } from './compact-form.ts';
import { type Evidence, isAdmitted } from './evidence.ts';
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
  const gone = new Set(expired.bodies.map((row) => sentKey(row.mode, row.sha256)));
  const queued = queuedBodies(evidence);
  const rowsOf = Map.groupBy(evidence.stored.bodies, (row) => sentKey(row.mode, row.sha256));
  const ofSent = [...evidence.sent.bodies].flatMap(([key, sent]) =>
    countViolations(sent, rowsOf.get(key) ?? [], gone.has(key) || queued.has(key)),
  );
  const expiredBodies = new Set(expired.ownBodies.keys());
  const unlocked = expired.bodies
    .filter(({ place }) => place !== 'variant')
    .map((row) => `${nameOf(row)} has expired: it locks the id of its event, or waits, and never may.`);
  return [
    ...ofSent,
    ...unrecorded(...unlocked),
    ...evidence.stored.bodies.flatMap((row) => rowViolations(evidence, row, expiredBodies)),
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

function rowViolations(
  evidence: Evidence,
  row: StoredBody,
  expiredBodies: ReadonlySet<string>,
): readonly Violation[] {
  const { sent, stored } = evidence;
  const name = nameOf(row);
  const body = sent.bodies.get(sentKey(row.mode, row.sha256));
  if (body === undefined) {
    const other = sent.bodies.get(sentKey(row.mode === 'live' ? 'sandbox' : 'live', row.sha256));
    if (other === undefined) return invented(`${name} holds a body that no key of the account signed.`);
    return invented(`${name} holds a body that only a ${other.mode} key signed: modes have met.`);
  }
  if (!body.mayBeStored) return invented(`${name} holds a body of which every delivery was refused.`);
  const own = bodyKey(row.mode, row.eventId ?? '', row.sha256);
  const bytes = row.body ?? stored.ownBodies.get(own);
  if (row.erased !== undefined) {
    if (bytes !== undefined) return erasure(`${name} was erased by ${row.erased.by} and has its bytes.`);
    return row.place !== 'event' || row.fact !== undefined
      ? []
      : erasure(`${name} was erased by ${row.erased.by}, and its row has lost what counts.`);
  }
  const isBytes = bytes === undefined ? expiredBodies.has(own) : bytes.equals(body.bytes);
  const isSigned = row.signature !== undefined && body.signatures.has(row.signature);
  return [
    ...(isBytes
      ? []
      : unrecorded(bytes ? `${name} holds other bytes than were sent.` : `${name} has lost its bytes.`)),
    ...(isSigned ? [] : unrecorded(`${name} has not the signature with which it was sent.`)),
    ...placeViolations(body, row, name),
  ];
}

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
  const { orderId } = reading.event;
  if ((row.orderId ?? null) !== orderId)
    return unrecorded(`${name} names the order ${row.orderId}; its bytes name ${orderId}.`);
  return row.fact === undefined || row.fact === factText(reading.event)
    ? []
    : unrecorded(`${name} has the fact ${quoted(row.fact)}; its bytes say ${factText(reading.event)}.`);
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
