import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createHolding } from '../../src/simulator/delivery/holding.ts';

/** Holds sends back; `started` has their names in the order in which they began. */
function hold(draws: readonly number[] = []) {
  const left = [...draws];
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const holding = createHolding(() => left.shift() ?? Number.NaN);
  function add(kind: 'reorder' | 'burst', size: number, names: string): void {
    for (const name of names) {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      holding.add(kind, size, () => {
        started.push(name);
        return promise;
      });
    }
  }
  async function end(names: string): Promise<string> {
    for (const name of names) ends.get(name)?.();
    await setImmediate();
    return started.join('');
  }
  return { add, end, flush: holding.flush, left };
}

it('burst starts nothing below its size, and then all at once in their order', async () => {
  const { add, end } = hold();
  add('burst', 3, 'ab');
  expect(await end('')).toBe('');
  add('burst', 3, 'c');
  expect(await end('')).toBe('abc');
  add('burst', 3, 'de');
  expect(await end('')).toBe('abc');
});

it('reorder starts each one after the end of the one before', async () => {
  const { add, end } = hold([0]);
  add('reorder', 2, 'a');
  expect(await end('')).toBe('');
  add('reorder', 2, 'b');
  expect(await end('')).toBe('b');
  expect(await end('b')).toBe('ba');
});

it.each([
  ['a drawn one', [0.5, 0, 0.5], 'dbac'],
  ['a drawn one, in which some keep their place', [0.99, 0.5, 0.99], 'acbd'],
  ['a rotated one when the drawn one is their own', [0.99, 0.99, 0.99], 'bcda'],
])('reorder sends four in another order: %s', async (_, draws, order) => {
  const { add, end, left } = hold([...draws, 0]);
  add('reorder', 4, 'abcd');
  expect(await end('abcd')).toBe(order);
  expect(left).toEqual([0]);
});

it('a reordering and a burst wait for their own size, and a flush ends both', async () => {
  const { add, end, flush } = hold([0]);
  add('reorder', 3, 'ab');
  add('burst', 3, 'c');
  expect(await end('ab')).toBe('');
  flush();
  expect(await end('')).toBe('cba');
  flush();
  expect(await end('')).toBe('cba');
});
