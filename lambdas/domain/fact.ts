import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { type Meaning, meanings } from './assumptions.ts';
import type { EventFields, Reading } from './payment-event.ts';

/**
 * What one signed event means for its order, independent of when and how it arrived: a member of the order's
 * set of facts. One reading always gives one string, so set union makes duplicates and redrives harmless.
 */
export interface EventFact extends Omit<EventFields, 'orderId'> {
  readonly kind: 'event';
  /** As it was read: a name that had no meaning is `history`. */
  readonly meaning: Meaning;
  readonly eventId: string;
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

/**
 * `conflict`: another body arrived under an existing event id, and it belongs to another order or transaction
 * ·
 * `shared`: events about money of the transaction name this order and another one · `full`: the row of the
 * order is, and at least one event is stored that is not in its facts · `unreadable`: a text that this
 * version cannot read, such as one of a newer version.
 */
export type Fact =
  | EventFact
  | { readonly kind: 'conflict'; readonly eventId: string; readonly bodySha256: string }
  | { readonly kind: 'shared'; readonly transactionId: string }
  | { readonly kind: 'full' | 'unreadable' }
  | ResolvedFact;

/**
 * What reaches its orders through the row of a transaction has one element more. So its text is never that of
 * a fact or mark which an order has by itself, and may leave with the transaction.
 */
const viaTransaction = 'transaction';

const [text, field] = [v.string(), v.nullable(v.string())];

/** The formats that rows hold, by their tag. They are permanent: a new format needs a new tag. */
const factFormat = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.strictTuple([
      ...([v.picklist(meanings), text, text, field, field, field, field] as const),
      v.optional(v.literal(viaTransaction)),
    ]),
    v.strictTuple([v.literal('conflict'), text, text, v.optional(text)]),
    v.strictTuple([v.literal('shared'), text]),
    v.strictTuple([v.literal('full')]),
    v.strictTuple([v.literal('resolved'), text, text, text, text, text]),
  ]),
);

const write = (fact: readonly (string | null)[]): string => JSON.stringify(fact);

/** At most `factBytesMax` bytes, because parsePaymentEvent bounds every field. */
export function eventFact(eventId: string, { meaning, eventName, orderId, ...fields }: Reading): string {
  const { transactionId, amount, currency, createdAt } = fields;
  const money = [transactionId, amount, currency, createdAt];
  const via = orderId === null && transactionId !== null ? [viaTransaction] : [];
  return write([meaning ?? 'history', eventId, eventName, ...money, ...via]);
}

export const conflictFact = (eventId: string, bodySha256: string): string =>
  write(['conflict', eventId, bodySha256]);

/** The same where a body concerns the orders of a transaction. */
export const sharedConflictFact = (eventId: string, bodySha256: string, transactionId: string): string =>
  write(['conflict', eventId, bodySha256, transactionId]);

export const sharedFact = (transactionId: string): string => write(['shared', transactionId]);

export const fullFact: string = write(['full']);

/** At most `factBytesMax` bytes when `by` fits into `actorBytesMax` and `reason` into `reasonBytesMax`. */
export const resolvedFact = (fact: Omit<ResolvedFact, 'kind'>): string =>
  write(['resolved', fact.attention, fact.judgedSha256, fact.by, fact.at, fact.reason]);

/** The inverse of the writers above. It never throws: one fact must not hide the others of an order. */
export function parseFact(fact: string): Fact {
  const { success, output } = v.safeParse(factFormat, fact);
  if (!success) return { kind: 'unreadable' };
  switch (output[0]) {
    case 'conflict':
      return { kind: 'conflict', eventId: output[1], bodySha256: output[2] };
    case 'shared':
      return { kind: 'shared', transactionId: output[1] };
    case 'full':
      return { kind: 'full' };
    case 'resolved': {
      const [, attention, judgedSha256, by, at, reason] = output;
      return { kind: 'resolved', attention, judgedSha256, by, at, reason };
    }
    default: {
      const [meaning, eventId, eventName, transactionId, amount, currency, createdAt] = output;
      return { kind: 'event', meaning, eventId, eventName, transactionId, amount, currency, createdAt };
    }
  }
}

/** The event that a fact is about; `undefined` for a fact about the order itself. */
export function eventIdOf(text: string): string | undefined {
  const fact = parseFact(text);
  return 'eventId' in fact ? fact.eventId : undefined;
}

/** The SHA-256 of a text in lowercase hexadecimal. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * What a resolution judges, as a SHA-256 in lowercase hexadecimal: of the JSON array of all facts of an order
 * except resolutions, which change nothing that an operator judges, sorted by code unit.
 */
export function judgedDigest(facts: Iterable<string>): string {
  const judged = [...new Set(facts)].filter((text) => parseFact(text).kind !== 'resolved').sort();
  return sha256Of(JSON.stringify(judged));
}

/** What operators have resolved for exactly these facts: any new one raises it again. */
export function currentResolutions(
  facts: Iterable<string>,
  resolutions: readonly ResolvedFact[],
): readonly ResolvedFact[] {
  if (resolutions.length === 0) return [];
  const current = judgedDigest(facts);
  return resolutions.filter(({ judgedSha256 }) => judgedSha256 === current);
}
