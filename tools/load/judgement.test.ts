import { expect, it } from 'vitest';
import { countsOf, faultsOf } from './judgement.ts';

const acknowledged = new Set(['a', 'b']);
const sent = new Set(['a', 'b', 'c']);

it.each([
  ['nothing for one row and one fact of each', ['a', 'b'], ['b', 'a'], []],
  ['nothing for a webhook without a response that is recorded', ['a', 'b', 'c'], ['a', 'b', 'c'], []],
  ['a lost row', ['a'], ['a', 'b'], ['Events acknowledged and not recorded: 1, for example b.']],
  ['a lost fact', ['a', 'b'], ['b'], ['Events acknowledged and not recorded: 1, for example a.']],
  ['a second row', ['a', 'a', 'b'], ['a', 'b'], ['Events recorded more than once: 1, for example a.']],
  ['second facts', ['a', 'b'], ['a', 'a', 'b', 'b'], ['Events recorded more than once: 2, for example a.']],
  ['an invented event', ['a', 'b', 'x'], ['a', 'b'], ['Events recorded and never sent: 1, for example x.']],
])('npm run load finds %s', (_, rows, facts, faults) => {
  expect(faultsOf(sent, acknowledged, { rows: countsOf(rows), facts: countsOf(facts) })).toEqual(faults);
});
