import { UnexpectedAnswerError } from './errors.ts';

/** A value inside some JSON, and how to name it when it is not what was expected. */
export interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly source: string;
}

export const rootOf = (value: unknown, source: string): Place => ({ value, path: '$', source });

export function unexpected(
  place: Place,
  expected: string,
  found = kindOf(place.value),
): UnexpectedAnswerError {
  return new UnexpectedAnswerError({ source: place.source, path: place.path, expected, found });
}

export function field(place: Place, name: string): Place {
  const object = objectAt(place);
  // Own fields only: "constructor" is in every object, but in no JSON.
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return { value, path: `${place.path}.${name}`, source: place.source };
}

export function itemsOf(place: Place): readonly Place[] {
  if (!Array.isArray(place.value)) throw unexpected(place, 'an array');
  return place.value.map((value, index) => ({ ...place, value, path: `${place.path}[${index}]` }));
}

export function objectAt(place: Place): Readonly<Record<string, unknown>> {
  if (!isObject(place.value)) throw unexpected(place, 'an object');
  return place.value;
}

export function textAt(place: Place): string {
  if (typeof place.value !== 'string') throw unexpected(place, 'a string');
  return place.value;
}

/** A string of a form that `expected` names. */
export function textLike(place: Place, pattern: RegExp, expected: string): string {
  if (typeof place.value !== 'string') throw unexpected(place, expected);
  if (!pattern.test(place.value)) throw unexpected(place, expected, 'another string');
  return place.value;
}

export function flagAt(place: Place): boolean {
  if (typeof place.value !== 'boolean') throw unexpected(place, 'a boolean');
  return place.value;
}

export function integerAt(place: Place, min: number): number {
  const { value } = place;
  if (typeof value !== 'number') throw unexpected(place, 'an integer');
  if (!Number.isSafeInteger(value) || value < min)
    throw unexpected(place, `an integer from ${min}`, 'another number');
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
