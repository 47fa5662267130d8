import * as v from 'valibot';
import { signatureOf } from '../../private-key.ts';
import type { SendOnce } from './sender.ts';

/** A higher number is taken for a typing error. */
const countMax = 100_000;
const rule = `a whole number from 1 to ${countMax}`;
const count = v.pipe(v.number(), v.integer(rule), v.minValue(1, rule), v.maxValue(countMax, rule));

/** Affects the first `attempts` attempts of a delivery; without it, every attempt. */
const attempts = v.exactOptional(count);

const misbehaviourSchema = v.variant('kind', [
  /** Sent this many times more, each as a separate delivery. */
  v.strictObject({ kind: v.literal('duplicate'), copies: count }),
  /** Signed with the key of another account. */
  v.strictObject({ kind: v.literal('wrong_key'), attempts }),
  /** The JSON is decoded and encoded again after it was signed (section 6, rule 3). */
  v.strictObject({ kind: v.literal('reserialised_body'), attempts }),
]);

export const misbehavioursSchema = v.array(misbehaviourSchema);

export const misbehaviourKinds = misbehaviourSchema.options.map(({ entries }) => entries.kind.literal);

export type Misbehaviour = v.InferOutput<typeof misbehaviourSchema>;

const foreignKey = 'pri_of_another_account';

/** `fetch` for the attempts of one delivery: each call is one attempt, with the faults of its number. */
export function misbehavingFetch(
  misbehaviours: readonly Misbehaviour[],
  { signatureHeader, fetch }: { readonly signatureHeader: string; readonly fetch: SendOnce },
): SendOnce {
  let attempt = 0;
  return function fetchOnce(url, given) {
    attempt += 1;
    const meets = (kind: Misbehaviour['kind']) =>
      misbehaviours.some((one) => one.kind === kind && !('attempts' in one && attempt > one.attempts));
    const wrongSignature = meets('wrong_key') && { [signatureHeader]: signatureOf(given.body, foreignKey) };
    const body = meets('reserialised_body') ? reserialised(given.body) : given.body;
    return fetch(url, { ...given, headers: { ...given.headers, ...wrongSignature }, body });
  };
}

/** Indented: plain JSON.stringify would give the same bytes again. */
const reserialised = (body: Buffer) =>
  Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')), null, 1));
