import * as v from 'valibot';

/** A higher number is taken for a typing error. */
const countMax = 100_000;
const rule = `a whole number from 1 to ${countMax}`;
const count = v.pipe(v.number(), v.integer(rule), v.minValue(1, rule), v.maxValue(countMax, rule));

const part = 'a number from 0 to 1';
const everyKind = {
  /** The part of the notifications that it affects, chosen by the seed; without it, all of them. */
  share: v.exactOptional(v.pipe(v.number(), v.minValue(0, part), v.maxValue(1, part))),
};

/** Affects the first `attempts` attempts of a delivery; without it, every attempt. */
const attemptKind = { ...everyKind, attempts: v.exactOptional(count) };

const misbehaviourSchema = v.variant('kind', [
  /** Sent this many times more, each as a separate delivery. */
  v.strictObject({ kind: v.literal('duplicate'), ...everyKind, copies: count }),
  /** Held back until this many wait, then sent one after another in another order. */
  v.strictObject({ kind: v.literal('reorder'), ...everyKind, size: count }),
  /** Held back until this many wait, then sent all at once. */
  v.strictObject({ kind: v.literal('burst'), ...everyKind, size: count }),
  /** Sent after a pause that the seed chooses. */
  v.strictObject({ kind: v.literal('delay'), ...everyKind, millisecondsMax: count }),
  /** Signed with the key of another account. */
  v.strictObject({ kind: v.literal('wrong_key'), ...attemptKind }),
  /** The JSON is decoded and encoded again after it was signed (section 6, rule 3). */
  v.strictObject({ kind: v.literal('reserialised_body'), ...attemptKind }),
  /** The response is read in small pieces, with a pause before each. */
  v.strictObject({ kind: v.literal('slow_reading'), ...attemptKind, milliseconds: count }),
  /** The connection breaks halfway through the request, or before the response is read. */
  v.strictObject({
    kind: v.literal('dropped_connection'),
    ...attemptKind,
    during: v.picklist(['request', 'response']),
  }),
]);

export const misbehavioursSchema = v.array(misbehaviourSchema);

export const misbehaviourKinds = misbehaviourSchema.options.map(({ entries }) => entries.kind.literal);

export type Misbehaviour = v.InferOutput<typeof misbehaviourSchema>;
