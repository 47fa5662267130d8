import { inspect } from 'node:util';

/** Cuts secrets out of a text: a proxy or a custom `fetch` may quote what it was sent. */
export type Redact = (text: string) => string;

/** A shorter secret stays: its characters occur in ordinary words, and the gaps would reveal it. */
const secretCharactersMin = 8;

export function redactionOf(secrets: readonly string[]): Redact {
  const known = secrets.filter((secret) => secret.length >= secretCharactersMin);
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/** JSON whose strings hold no secret. */
export const redactedJson = <T>(json: T, redact: Redact): T =>
  JSON.parse(JSON.stringify(json), (_, value) => (typeof value === 'string' ? redact(value) : value));

/** The forms in which an Authorization header may be quoted, longest first. */
export function secretsOf(authorization: string): readonly string[] {
  const credential = authorization.slice(authorization.indexOf(' ') + 1);
  if (!authorization.startsWith('Basic ')) return [credential];
  return [credential, Buffer.from(credential, 'base64').toString('utf8').replace(/:$/, '')];
}

/**
 * The cause itself, or only its redacted message when it shows a secret. The error of a JSON parser quotes
 * part of the text that it failed on, where no redaction finds it.
 */
export function safeCause(cause: unknown, redact: Redact): unknown {
  if (cause instanceof SyntaxError) return new Error('A SyntaxError, whose text is left out.');
  const shown = inspect(cause, { depth: 10, maxArrayLength: null, maxStringLength: null });
  if (redact(shown) === shown) return cause;
  return new Error(redact(cause instanceof Error ? cause.message : 'The cause quoted a secret.'));
}

/** One line of bounded length: the text comes from outside and ends up in logs and terminals. */
export function oneLine(text: string, charactersMax = 300): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, charactersMax);
}
