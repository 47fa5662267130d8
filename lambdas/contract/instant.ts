import * as v from 'valibot';

const form = /^(\d{4}-\d{2}-\d{2})T(?!24)\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * A time in ISO 8601 with a zone, in the form that payhooks stores: UTC with milliseconds, so that text order
 * is time order. `undefined` for any other text, and for a day that the calendar does not have: JavaScript
 * reads 30 February as 2 March.
 */
export function readInstant(text: string): string | undefined {
  const [, day = ''] = form.exec(text) ?? [];
  const isRealDay = stampOf(day)?.startsWith(day) === true;
  const stamp = stampOf(text);
  return isRealDay && stamp !== undefined && isStamp(stamp) ? stamp : undefined;
}

/** Whether the text is a time exactly as payhooks stores it. */
export const isStamp = (text: string): boolean => /^\d{4}-/.test(text) && stampOf(text) === text;

function stampOf(text: string): string | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** A time that payhooks has stored. */
export const stamp = v.pipe(v.string(), v.check(isStamp));

/** A time that a request or an operator gives; `expected` is the message for any other value. */
export const instant = (expected: string) =>
  v.pipe(v.string(expected), v.transform(readInstant), v.string(expected));
