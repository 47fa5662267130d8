import * as v from 'valibot';
import { eventMeaningsBytesMax } from '../lambdas/contract/limits.ts';
import { builtInMeanings, meanings } from '../lambdas/domain/assumptions.ts';

/**
 * API document 6: `event_resource.event_action`. More parts are accepted, because an event of such a name is
 * recorded, and its alarm ends when the name has a meaning.
 */
export const eventNamePattern = /^(?=.{3,256}$)[\w-]+(\.[\w-]+)+$/;

/** The names whose meaning the API document defines. */
const documentedNames = ['transaction.paid', 'transaction.refunded'];

const expected =
  `event names, each once and with one of the meanings ${meanings.join(', ')}, ` +
  'such as charge.won=history,charge.lost=refunded';

/** An object in cdk.json, `name=meaning,name=meaning` after `-c`. */
export const eventMeaningsSchema = v.pipe(
  // Not `v.record`, which silently drops names such as "constructor".
  v.union([v.string(), v.custom<Record<string, unknown>>(isObject)], expected),
  v.transform((given) =>
    typeof given === 'string' ? given.split(',').map((pair) => pair.split('=')) : Object.entries(given),
  ),
  v.array(
    v.strictTuple(
      [v.pipe(v.string(expected), v.regex(eventNamePattern, expected)), v.picklist(meanings, expected)],
      expected,
    ),
  ),
  v.check((pairs) => new Map(pairs).size === pairs.length, expected),
  v.check(
    (pairs) =>
      pairs.every(([name, meaning]) => !documentedNames.includes(name) || builtInMeanings[name] === meaning),
    `no other meaning for ${documentedNames.join(' and ')}, which the API document defines`,
  ),
  v.transform((pairs) => Object.fromEntries(pairs)),
  v.check(
    (given) => JSON.stringify(given).length <= eventMeaningsBytesMax,
    `at most ${eventMeaningsBytesMax} bytes as JSON, because Lambda takes 4 KB for all variables`,
  ),
);

export function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
