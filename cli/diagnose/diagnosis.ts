import { createHmac } from 'node:crypto';
import { readEventBody } from '../../operator/event-body.ts';
import type { NamedKey } from '../private-keys.ts';
import { bodyForms, digestIn, type Mistake } from './forms.ts';

export interface Evidence {
  /** The body as its receiver has it. */
  readonly body: Buffer;
  /** The value of the signature header. */
  readonly header: string;
  /** The receiver verifies with these keys, except `isOther` ones: a match with one of those is a mistake. */
  readonly keys: readonly (NamedKey & { readonly isOther?: boolean })[];
}

export interface Diagnosis {
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
