import { createHash, createHmac } from 'node:crypto';
import { isWellFormedSignature } from '../../lambdas/domain/signature.ts';
import type { NamedKey } from '../keys/named-keys.ts';
import { bodyForms } from './body-forms.ts';
import { type HeaderForm, headerForms } from './header-forms.ts';
import { keyForms } from './key-forms.ts';
import { type Mistake, mistake } from './mistake.ts';

export interface Evidence {
  /** The body as whoever verified it has it. */
  readonly body: Uint8Array;
  /** The value of the signature header. */
  readonly header: string;
  /** Those that the receiver verifies with come first; `isOther` ones are known besides. */
  readonly keys: readonly (NamedKey & { readonly isOther?: boolean })[];
}

export interface Diagnosis {
  /** `right`: the signature is that of the body. `explained`: by the mistakes; `unexplained`: by none. */
  readonly verdict: 'right' | 'explained' | 'unexplained';
  readonly mistakes: readonly Mistake[];
  /** The key that the signature was made with. */
  readonly key?: Evidence['keys'][number];
  /** Combinations of bytes and keys that were compared. */
  readonly tried: number;
}

interface Match {
  readonly mistakes: readonly Mistake[];
  readonly key?: Evidence['keys'][number];
}

/**
 * Why a signature does not match: every known mistake is undone, in the body, in the header and in the key,
 * and the first that makes it match is the explanation. Nothing that it gives holds a signature or a key.
 */
export function diagnose(evidence: Evidence): Diagnosis {
  const counter = { tried: 0 };
  const headers = headerForms(evidence.header);
  if (headers.length === 0) {
    const says =
      evidence.header.trim() === ''
        ? 'The signature is empty.'
        : `The signature is no digest: ${evidence.header.length} characters; expected 64 hexadecimal digits.`;
    return { verdict: 'explained', mistakes: [mistake('not_a_signature', says)], tried: 0 };
  }
  const match =
    matchExact(evidence, headers, counter) ??
    matchKeyForms(evidence, headers, counter) ??
    matchOthers(evidence, headers, counter);
  const { tried } = counter;
  if (match !== undefined) {
    const mistakes = [...match.mistakes, ...keyMistakes(evidence, match)];
    const isRight = mistakes.length === 0 && isWellFormedSignature(evidence.header);
    return {
      verdict: isRight ? 'right' : 'explained',
      mistakes,
      tried,
      ...(match.key && { key: match.key }),
    };
  }
  const says =
    `None of the known mistakes explains it (${tried} combinations were compared): it was signed with ` +
    'another ' +
    'key than those known here, or the body is another one than was signed.';
  const found = [...(headers[0]?.mistakes ?? []), mistake('wrong_key', says)];
  return { verdict: 'unexplained', mistakes: found, tried };
}

type Counter = { tried: number };

function matchExact(
  { body, keys }: Evidence,
  headers: readonly HeaderForm[],
  counter: Counter,
): Match | undefined {
  for (const form of bodyForms(body)) {
    for (const key of keys) {
      counter.tried += 1;
      const digest = createHmac('sha256', key.text).update(form.bytes).digest('hex');
      const header = headers.find((one) => one.digest === digest);
      if (header !== undefined) return { mistakes: [...header.mistakes, ...form.mistakes], key };
    }
  }
  return undefined;
}

function matchKeyForms(
  { body, keys }: Evidence,
  headers: readonly HeaderForm[],
  counter: Counter,
): Match | undefined {
  for (const key of keys) {
    for (const { bytes, says } of keyForms(key.text)) {
      counter.tried += 1;
      const digest = createHmac('sha256', bytes).update(body).digest('hex');
      const header = headers.find((one) => one.digest === digest);
      if (header !== undefined) return { mistakes: [...header.mistakes, mistake('key_text', says)], key };
    }
  }
  return undefined;
}

const algorithms = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

function matchOthers(
  { body, keys }: Evidence,
  headers: readonly HeaderForm[],
  counter: Counter,
): Match | undefined {
  for (const algorithm of algorithms) {
    const name = algorithm.toUpperCase();
    const plain = createHash(algorithm).update(body).digest('hex');
    const bare = headers.find((one) => one.digest === plain);
    counter.tried += 1;
    if (bare !== undefined) {
      const made = mistake('without_key', `The signature is the ${name} of the body, made without any key.`);
      return { mistakes: [...bare.mistakes, made] };
    }
    for (const key of keys) {
      counter.tried += 2;
      const keyed = createHmac(algorithm, key.text).update(body).digest('hex');
      const joined = createHash(algorithm).update(key.text).update(body).digest('hex');
      const header = headers.find(({ digest }) => digest === keyed || digest === joined);
      if (header === undefined) continue;
      const how =
        header.digest === keyed ? `HMAC with ${name}` : `${name} of the key and the body, and no HMAC`;
      return { mistakes: [...header.mistakes, mistake('other_algorithm', `The signature is ${how}.`)], key };
    }
  }
  return undefined;
}

/** The bytes match; what is wrong with the key that they match under. */
function keyMistakes({ body, keys }: Evidence, { key }: Match): readonly Mistake[] {
  if (key === undefined) return [];
  const sandbox = sandboxFlag(body);
  if (key.mode === 'sandbox' && sandbox === false) {
    return [mistake('sandbox_key', `A live event was signed with the sandbox key ${key.id}.`)];
  }
  if (key.mode === 'live' && sandbox === true) {
    return [mistake('live_key', `A sandbox event was signed with the live key ${key.id}.`)];
  }
  if (key.state === 'expired') {
    const until = key.accepted_until ?? 'some time ago';
    return [
      mistake('previous_key', `It was signed with the previous key ${key.id}, accepted until ${until}.`),
    ];
  }
  if (!key.isOther) return [];
  const expected = keys.filter(({ isOther }) => !isOther).map(({ id }) => id);
  const says = `It was signed with the key ${key.id}, and not with ${expected.join(', ')}.`;
  return [mistake('wrong_key', says)];
}

/** API document 2.3; `undefined` for a body that does not say. */
function sandboxFlag(body: Uint8Array): boolean | undefined {
  try {
    const event: unknown = JSON.parse(
      Buffer.from(body)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
    const flag =
      typeof event === 'object' && event !== null && 'sandbox' in event ? event.sandbox : undefined;
    return typeof flag === 'boolean' ? flag : undefined;
  } catch {
    return undefined;
  }
}
