import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { type PaymentEvent, parsePaymentEvent } from './payment-event.ts';

/**
 * What one signed event means for its order, independent of when and how it arrived: an immutable member of
 * the order's fact set. One event always gives one string, so set union makes duplicates, redrives and
 * replays harmless.
 */
export interface EventFact {
  readonly kind: 'event';
  readonly eventId: string;
  readonly eventName: string;
  readonly transactionId: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly createdAt: string | null;
}

/** Another body arrived under an existing event id, and it is not one that this order can fold. */
export interface ConflictFact {
  readonly kind: 'conflict';
  readonly eventId: string;
  readonly bodySha256: string;
}

/** A transaction of this order was paid in another order as well. */
export interface SharedFact {
  readonly kind: 'shared';
  readonly transactionId: string;
}

/** The row of the order is full: events after this one are stored, and not in its facts. */
export interface FullFact {
  readonly kind: 'full';
}

/** An operator judged an attention of the order: it is no longer listed while the same facts stand. */
export interface ResolvedFact {
  readonly kind: 'resolved';
  /** A name of `Attention`, or one that this version does not know. */
  readonly attention: string;
  /** `judgedDigest` of the facts that the operator saw. */
  readonly judgedSha256: string;
  /** The IAM identity of the operator. */
  readonly by: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly reason: string;
}

/** The fact of an event no longer counts (odd `n`), or counts again (even): its body is read better now. */
export interface CorrectionFact {
  readonly kind: 'correction';
  readonly factSha256: string;
  /** Of several corrections of one fact, the highest decides. */
  readonly n: number;
}

/** The order was published again, although its facts are the same. */
export interface RefoldedFact {
  readonly kind: 'refolded';
  readonly id: string;
}

export type Fact =
  | EventFact
  | ConflictFact
  | SharedFact
  | FullFact
  | ResolvedFact
  | CorrectionFact
  | RefoldedFact;

const optionalText = v.nullable(v.string());

/** The formats that rows hold. They are permanent: a new format needs a new tag. */
const factFormat = v.union([
  v.strictTuple([
    v.literal('event.1'),
    v.string(),
    v.string(),
    optionalText,
    optionalText,
    optionalText,
    optionalText,
  ]),
  v.strictTuple([v.literal('conflict.1'), v.string(), v.string()]),
  v.strictTuple([v.literal('shared.1'), v.string()]),
  v.strictTuple([v.literal('full.1')]),
  v.strictTuple([v.literal('resolved.1'), v.string(), v.string(), v.string(), v.string(), v.string()]),
  v.strictTuple([v.literal('correction.1'), v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(1))]),
  v.strictTuple([v.literal('refolded.1'), v.string()]),
]);

type StoredFact = v.InferOutput<typeof factFormat>;

/**
 * Only this module writes facts, so a fact that it cannot read means that older code reads newer data.
 */
export class UnreadableFactError extends Error {
  override readonly name = 'UnreadableFactError';
  constructor(fact: string) {
    super(
      `An order holds a fact of ${fact.length} characters that this version cannot read; expected an array ` +
        `tagged ${factFormat.options.map(({ items: [tag] }) => `"${tag.literal}"`).join(', ')}. ` +
        'Deploy the version that wrote it, or a newer one.',
    );
  }
}

const write = (fact: StoredFact): string => JSON.stringify(fact);

/** At most `factBytesMax` bytes, because parsePaymentEvent bounds every field. */
export function eventFact(event: Pick<PaymentEvent, 'id' | 'eventName' | 'transaction'>): string {
  const { id, amount, currency, createdAt } = event.transaction;
  return write(['event.1', event.id, event.eventName, id, amount, currency, createdAt]);
}

/** The fact of a signed body; `undefined` when the body is not an event. */
export function factOfBody(body: Uint8Array): string | undefined {
  const parsed = parsePaymentEvent(body);
  return parsed.ok ? eventFact(parsed.event) : undefined;
}

export const conflictFact = (eventId: string, bodySha256: string): string =>
  write(['conflict.1', eventId, bodySha256]);

export const sharedFact = (transactionId: string): string => write(['shared.1', transactionId]);

export const fullFact: string = write(['full.1']);

/** At most `factBytesMax` bytes when `by` fits into `actorBytesMax` and `reason` into `reasonBytesMax`. */
export const resolvedFact = (resolution: Omit<ResolvedFact, 'kind'>): string =>
  write([
    'resolved.1',
    resolution.attention,
    resolution.judgedSha256,
    resolution.by,
    resolution.at,
    resolution.reason,
  ]);

/** `fact` is the text of an event fact; `n` counts its corrections from 1. */
export const correctionFact = (fact: string, n: number): string =>
  write(['correction.1', factSha256(fact), n]);

/**
 * A replay takes the order out of the transaction. A correction of what is no event changes nothing that
 * counts.
 */
export const leftFact = (transactionId: string): string => correctionFact(sharedFact(transactionId), 2);

/** `id` makes a repetition of one act the same fact. */
export const refoldedFact = (id: string): string => write(['refolded.1', id]);

/** The SHA-256 of a fact's text, in lowercase hexadecimal. */
export const factSha256 = (fact: string): string => createHash('sha256').update(fact).digest('hex');

/** The inverse of the writers above. Throws UnreadableFactError. */
export function parseFact(text: string): Fact {
  const { success, output } = v.safeParse(factFormat, parseJson(text));
  if (!success) throw new UnreadableFactError(text);
  switch (output[0]) {
    case 'event.1': {
      const [, eventId, eventName, transactionId, amount, currency, createdAt] = output;
      return { kind: 'event', eventId, eventName, transactionId, amount, currency, createdAt };
    }
    case 'conflict.1':
      return { kind: 'conflict', eventId: output[1], bodySha256: output[2] };
    case 'shared.1':
      return { kind: 'shared', transactionId: output[1] };
    case 'full.1':
      return { kind: 'full' };
    case 'resolved.1': {
      const [, attention, judgedSha256, by, at, reason] = output;
      return { kind: 'resolved', attention, judgedSha256, by, at, reason };
    }
    case 'correction.1':
      return { kind: 'correction', factSha256: output[1], n: output[2] };
    case 'refolded.1':
      return { kind: 'refolded', id: output[1] };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
