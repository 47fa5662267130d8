import type { Mode } from '../domain/signature.ts';
import { readInstant } from './instant.ts';
import { invalid, type ProblemError } from './problem.ts';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** A wrong parameter of the path or the query. */
export const wrongParameter = (parameter: string, given: string, expected: string): ProblemError =>
  invalid(parameter, `The parameter ${parameter} is ${JSON.stringify(given)}; expected ${expected}.`);

export function readMode({ mode = 'live' }: Parameters): Mode {
  if (mode === 'live' || mode === 'sandbox') return mode;
  throw wrongParameter('mode', mode, 'live or sandbox');
}

/** Refuses an unknown parameter: a typo must not silently change the request. */
export function refuseUnknown(parameters: Parameters, known: readonly string[]): void {
  for (const [name, given] of Object.entries(parameters)) {
    if (known.includes(name)) continue;
    const expected = known.length === 0 ? 'no parameters' : `one of the parameters ${known.join(', ')}`;
    throw wrongParameter(name, given ?? '', expected);
  }
}

/** Caps a limit above the maximum, as list APIs do; refuses zero and anything that is not a whole number. */
export function readLimit(
  { limit }: Parameters,
  { byDefault, max }: { readonly byDefault: number; readonly max: number },
): number {
  if (limit === undefined) return byDefault;
  if (!/^\d{1,9}$/.test(limit) || Number(limit) === 0) {
    throw wrongParameter('limit', limit, `a whole number from 1 to ${max}`);
  }
  return Math.min(Number(limit), max);
}

/** A time as payhooks stores it: ISO 8601 UTC with milliseconds. */
export function readTime(parameters: Parameters, name: string): string | undefined {
  const given = parameters[name];
  if (given === undefined) return undefined;
  const instant = readInstant(given);
  if (instant !== undefined) return instant;
  throw wrongParameter(name, given, 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z');
}

/** Reads a cursor with `decode`, which returns `undefined` for a text that is none. */
export function readCursor<Cursor>(
  { cursor: given }: Parameters,
  decode: (text: string) => Cursor | undefined,
): Cursor | undefined {
  if (given === undefined) return undefined;
  const cursor = decode(given);
  if (cursor !== undefined) return cursor;
  throw wrongParameter('cursor', given, 'the unchanged next_cursor of an earlier response');
}
