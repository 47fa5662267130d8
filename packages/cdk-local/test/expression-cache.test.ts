import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { cacheExpressions } from '../src/emulators/expression-cache.ts';

const require = createRequire(import.meta.url);
const dynalite = {
  condition: require('dynalite/db/conditionParser'),
  update: require('dynalite/db/updateParser'),
};

/** A parser of dynalite that counts how often it parses, and the same one behind the cache. */
function cachedParser(kind: keyof typeof dynalite) {
  let parses = 0;
  const { parse } = dynalite[kind];
  const parser = {
    parse(text: string, options: object): unknown {
      parses += 1;
      return parse(text, options);
    },
  };
  cacheExpressions(parser);
  const run = (text: string, attrVals: object, attrNames: object = {}) => {
    const all = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, true]));
    const context = {
      ...{ attrNames, attrVals, unusedAttrNames: all(attrNames), unusedAttrVals: all(attrVals) },
      isReserved: () => false,
      compare: (_: string, left: { N: string }, right: { N: string }) => Number(left.N) > Number(right.N),
    };
    const result = parser.parse(text, { context: context as never });
    return {
      result,
      unused: [...Object.keys(context.unusedAttrNames), ...Object.keys(context.unusedAttrVals)],
    };
  };
  return { run, parses: () => parses };
}

describe('an expression that was parsed before', () => {
  it('has the values of its own request, and is not parsed again', () => {
    const { run, parses } = cachedParser('condition');
    const text = 'attribute_not_exists(#key) OR size(facts) < :most';
    const first = run(text, { ':most': { N: '5' } }, { '#key': 'id' });
    const second = run(text, { ':most': { N: '7' } }, { '#key': 'id' });
    expect(parses()).toBe(1);
    expect(JSON.stringify(first.result)).toContain('{"N":"5"}');
    expect(JSON.stringify(second.result)).toBe(JSON.stringify(first.result).replace('"5"', '"7"'));
  });

  it('reports the names and values that it does not use', () => {
    const { run } = cachedParser('update');
    const values = { ':a': { S: 'x' }, ':b': { S: 'y' } };
    const names = { '#a': 'a', '#b': 'b' };
    expect(run('SET #a = :a', values, names).unused).toEqual(['#b', ':b']);
    expect(run('SET #a = :a', values, names).unused).toEqual(['#b', ':b']);
  });

  it('is not affected by what an operation did to an earlier result', () => {
    const { run } = cachedParser('update');
    const first = run('SET facts = :facts', { ':facts': { SS: ['a'] } }).result as { sections: object[] };
    first.sections.splice(0);
    const second = run('SET facts = :facts', { ':facts': { SS: ['b'] } }).result as { sections: object[] };
    expect(second.sections).toMatchObject([{ type: 'set', path: ['facts'], val: { SS: ['b'] } }]);
  });

  it('is parsed again when its values decide whether it is valid', () => {
    const { run } = cachedParser('condition');
    const between = (low: string, high: string) =>
      run('a BETWEEN :low AND :high', { ':low': { N: low }, ':high': { N: high } }).result;
    expect(between('1', '2')).toBeInstanceOf(Object);
    expect(between('2', '1')).toMatch(/greater than or equal to lower bound/);
  });
});
