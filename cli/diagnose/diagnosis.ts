import { createHmac } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { readEventBody } from '../../operator/event-body.ts';
import type { NamedKey } from '../private-keys.ts';

export interface Evidence {
  /** The body as its receiver has it. */
  readonly body: Buffer;
  /** The value of the signature header. */
  readonly header: string;
  /** The receiver verifies with these keys, except `isOther` ones: a match with one of those is a mistake. */
  readonly keys: readonly (NamedKey & { readonly isOther?: boolean })[];
}

interface Diagnosis {
  /** `right`: the signature matches. `explained`: the mistakes explain why not. `unexplained`: none does. */
  readonly verdict: 'right' | 'explained' | 'unexplained';
  readonly mistakes: readonly Mistake[];
  /** The key that made the signature. */
  readonly key?: NamedKey;
}

/** Undoes each known mistake in the header and the body until the signature matches with one of the keys. */
export function diagnose({ body, header, keys }: Evidence): Diagnosis {
  const digest = digestIn(header);
  if (digest === undefined) return { verdict: 'explained', mistakes: ['not_a_signature'] };
  for (const { value, mistakes } of bodyForms(body)) {
    const key = keys.find(({ text }) => hmac(text, value) === digest.value);
    if (key === undefined) continue;
    const found = [...digest.mistakes, ...mistakes, ...keyMistakes(key, value)];
    return { verdict: found.length === 0 ? 'right' : 'explained', mistakes: found, key };
  }
  return { verdict: 'unexplained', mistakes: [...digest.mistakes, 'wrong_key'] };
}

const hmac = (key: string, body: Buffer): string => createHmac('sha256', key).update(body).digest('hex');

function keyMistakes(key: Evidence['keys'][number], body: Buffer): readonly Mistake[] {
  const { sandbox } = readEventBody(body);
  if (key.mode === 'sandbox' && sandbox === false) return ['sandbox_key'];
  if (key.mode === 'live' && sandbox === true) return ['live_key'];
  if (key.state === 'expired') return ['previous_key'];
  return key.isOther ? ['wrong_key'] : [];
}

const rawBytes =
  'Verify the bytes as they arrived, before any parser has seen them (API document 6, rule 3): keep the ' +
  'raw body of the request, in the framework and in every proxy before it.';
const header = 'Use the value of the header unchanged: 64 lower-case hexadecimal digits and nothing else.';

/** Every mistake that is recognised: what happened, and the fix. */
export const mistakeTexts = {
  trimmed: ['The signature matches the body with different white space around it.', rawBytes],
  re_serialised: ['The signature matches the same JSON in another layout.', rawBytes],
  base64_literal: [
    'The body is base64 text, and the signature matches the decoded bytes.',
    'Decode the body when isBase64Encoded is true, then verify the decoded bytes.',
  ],
  gzip: [
    'The body is compressed, and the signature matches the decompressed bytes.',
    'Decompress the body, then verify it: the payment service signs before any compression.',
  ],
  extra_characters: ['The header holds more than the digest, such as a prefix or quotation marks.', header],
  upper_case: ['The digest is in upper case.', `Compare in lower case. ${header}`],
  base64_digest: ['The digest is in base64.', header],
  not_a_signature: ['The header holds no digest of 64 hexadecimal digits.', header],
  previous_key: [
    'The signature was made with an expired key.',
    'Rotate the key in the dashboard of the payment service; payhooks keys add accepts both for a while.',
  ],
  sandbox_key: [
    'A live event was signed with a sandbox key.',
    'Sign live events with the live key. A sandbox key only signs events with "sandbox": true.',
  ],
  live_key: [
    'A sandbox event was signed with a live key.',
    'Sign events that have "sandbox": true with the sandbox key. With a live key they are quarantined.',
  ],
  wrong_key: [
    'The signature was made with another key or for another body; no other known mistake explains it.',
    'Use the private key of this account and mode. payhooks keys list shows the accepted keys by id.',
  ],
} as const;

type Mistake = keyof typeof mistakeTexts;

/** A reading of the body or the header, and the mistakes that separate it from what was given. */
interface Form<Value> {
  readonly value: Value;
  readonly mistakes: readonly Mistake[];
}

/** The digest in a header, in lower-case hexadecimal; `undefined` when there is none. */
function digestIn(given: string): Form<string> | undefined {
  // A header name or a prefix such as "sha256=", white space and quotation marks may surround the digest.
  const [, digest = ''] =
    /^\s*(?:[\w-]+\s*[:=]\s*)?["']?([\da-f]{64}|[\w+/-]{43}=?)["']?\s*$/i.exec(given) ?? [];
  if (digest === '') return undefined;
  const mistakes: Mistake[] = digest === given ? [] : ['extra_characters'];
  if (digest.length < 64) {
    return { value: Buffer.from(digest, 'base64').toString('hex'), mistakes: [...mistakes, 'base64_digest'] };
  }
  if (digest !== digest.toLowerCase()) mistakes.push('upper_case');
  return { value: digest.toLowerCase(), mistakes };
}

/** The bytes that may have been signed: the body itself first, then each mistake undone. */
function* bodyForms(body: Buffer): Generator<Form<Buffer>, void, undefined> {
  for (const { value, mistakes } of [{ value: body, mistakes: [] }, ...unwrapped(body)]) {
    yield { value, mistakes };
    const text = value.toString('utf8');
    for (const other of [text.trim(), `${text.trim()}\n`, `${text.trim()}\r\n`]) {
      yield { value: Buffer.from(other), mistakes: [...mistakes, 'trimmed'] };
    }
    for (const json of serialised(text)) {
      yield { value: Buffer.from(json), mistakes: [...mistakes, 're_serialised'] };
      yield { value: Buffer.from(`${json}\n`), mistakes: [...mistakes, 're_serialised'] };
    }
  }
}

const decompressedBytesMax = 4 * 1024 * 1024;

/** What the body encodes, when its base64 text or its compressed bytes were taken for the body. */
function unwrapped(body: Buffer): readonly Form<Buffer>[] {
  const text = body.toString('latin1').trim();
  if (/^[\w+/-]+={0,2}$/.test(text)) {
    return [{ value: Buffer.from(text, 'base64'), mistakes: ['base64_literal'] }];
  }
  try {
    const value = gunzipSync(body, { maxOutputLength: decompressedBytesMax });
    return [{ value, mistakes: ['gzip'] }];
  } catch {
    return [];
  }
}

const escaped = (json: string): string =>
  json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const slashed = (json: string): string => json.replaceAll('/', '\\/');

/** The JSON as JavaScript, Python, PHP and pretty printers write it; 1.50 becomes 1.5. */
function serialised(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  // In the output of JSON.stringify a line end is layout: strings hold none.
  const spaced = JSON.stringify(value, null, 1)
    .replaceAll(/,\n\s*/g, ', ')
    .replaceAll(/\n\s*/g, '');
  const layouts = [undefined, 2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent));
  return [...layouts, spaced].flatMap((json) => [json, slashed(json), escaped(json), slashed(escaped(json))]);
}
