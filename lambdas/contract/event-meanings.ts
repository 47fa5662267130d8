import * as v from 'valibot';
import { createMeaningOf, type MeaningOf, meanings } from '../domain/assumptions.ts';

const schema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.picklist(meanings)));

/**
 * The meanings in the variable `EVENT_MEANINGS`; without it the built-in ones. Throws at cold start when the
 * variable is not a JSON object from event names to meanings.
 */
export function readEventMeanings(variable: string | undefined): MeaningOf {
  if (variable === undefined) return createMeaningOf();
  const { success, output } = v.safeParse(schema, variable);
  if (!success) {
    throw new TypeError(
      `EVENT_MEANINGS is not a JSON object from event names to ${meanings.join(', ')}; the stack sets it.`,
    );
  }
  return createMeaningOf(output);
}
