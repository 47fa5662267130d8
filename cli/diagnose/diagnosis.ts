import { createHmac } from 'node:crypto';
import { readEventBody } from '../../operator/event-body.ts';
import type { NamedKey } from '../private-keys.ts';

export interface Evidence {
  /** The body as its receiver has it. */
  readonly body: Buffer;
  /** The value of the signature header. */
  readonly header: string;
  /** The keys that the receiver verifies with. */
  readonly keys: readonly NamedKey[];
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
  const ofHeader: readonly Mistake[] = digest === header ? [] : ['digest_form'];
  for (const { mistakes, signedBy } of bodyForms) {
    for (const signed of signedBy(body)) {
      const key = keys.find(({ text }) => createHmac('sha256', text).update(signed).digest('hex') === digest);
      if (key === undefined) continue;
      const found = [...ofHeader, ...mistakes, ...keyMistakes(key, Buffer.from(signed))];
      return { verdict: found.length === 0 ? 'right' : 'explained', mistakes: found, key };
    }
  }
  return { verdict: 'unexplained', mistakes: [...ofHeader, 'wrong_key'] };
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
  digest_form: ['The digest is in upper case or base64, or has a prefix, white space or quotes.', header],
  not_a_signature: ['The header holds no digest of 64 hexadecimal digits.', header],
  previous_key: [
    'The signature was made with an expired key.',
    'Rotate the key in the dashboard of the payment service; payhooks keys add accepts both for a while.',
  ],
  other_mode: [
    'A live event was signed with a sandbox key, or a sandbox event with a live key.',
    'Sign events that have "sandbox": true with the sandbox key, and all others with the live key.',
  ],
  wrong_key: [
    'The signature was made with another key or for another body; no other known mistake explains it.',
    'Use the private key of this account and mode. payhooks keys list shows the accepted keys by id.',
  ],
} as const;

type Mistake = keyof typeof mistakeTexts;

/** The digest in a header, in lower-case hexadecimal; `undefined` when there is none. */
function digestIn(given: string): string | undefined {
  // A header name or a prefix such as "sha256=", white space and quotation marks may surround the digest.
  const [, digest] = /^\s*(?:[\w-]+\s*[:=]\s*)?["']?([\da-f]{64}|[\w+/-]{43}=?)["']?\s*$/i.exec(given) ?? [];
  if (digest === undefined) return undefined;
  return digest.length === 64 ? digest.toLowerCase() : Buffer.from(digest, 'base64').toString('hex');
}

/** The bytes that may have been signed: the body itself first, then each mistake undone. */
const bodyForms: readonly {
  readonly mistakes: readonly Mistake[];
  readonly signedBy: (body: Buffer) => readonly (Buffer | string)[];
}[] = [
  { mistakes: [], signedBy: (body) => [body] },
  {
    mistakes: ['trimmed'],
    signedBy: (body) => ['', '\n', '\r\n'].map((lineEnd) => String(body).trim() + lineEnd),
  },
  { mistakes: ['re_serialised'], signedBy: (body) => serialised(String(body)) },
  { mistakes: ['base64_literal'], signedBy: (body) => [Buffer.from(String(body), 'base64')] },
];

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
  const layouts = [undefined, 2, 4].map((indent) => JSON.stringify(value, null, indent));
  return [...layouts, spaced].flatMap((json) => [json, slashed(json), escaped(json), slashed(escaped(json))]);
}

function keyMistakes({ mode, state }: NamedKey, body: Buffer): readonly Mistake[] {
  const { sandbox } = readEventBody(body);
  if (sandbox !== undefined && sandbox !== (mode === 'sandbox')) return ['other_mode'];
  return state === 'expired' ? ['previous_key'] : [];
}
