import { describe, expect, it } from 'vitest';
import { isAnyAccepted, rowOf, withNew } from '../../operator/keys/key-rotation.ts';

const now = Date.UTC(2026, 10, 21, 12, 0, 0);
const hour = 3_600_000;
const times = { now, overlapEnds: now + 24 * hour };

describe('adding a key', () => {
  it('does not postpone the end of another key', () => {
    const former = [{ key: 'pri_b' }, { key: 'pri_a', acceptedUntil: now + hour }];
    expect(withNew(former, 'pri_c', times)[2]).toEqual({ key: 'pri_a', acceptedUntil: now + hour });
  });

  it('lists a key that was already listed only once, without an end', () => {
    const former = [{ key: 'pri_b' }, { key: 'pri_a', acceptedUntil: now - hour }];
    expect(withNew(former, 'pri_a', times)).toEqual([
      { key: 'pri_a' },
      { key: 'pri_b', acceptedUntil: Date.UTC(2026, 10, 22, 12, 0, 0) },
    ]);
  });

  it('drops the key that expired first when there are ten', () => {
    const ages = [1, 2, 3, 4, 5, 6, 7, 8];
    const ended = ages.map((age) => ({ key: `pri_${age}`, acceptedUntil: now - age * hour }));
    const next = withNew([{ key: 'pri_live' }, ...ended, { key: 'pri_sandbox_a' }], 'pri_new', times);
    expect(next).toHaveLength(10);
    expect(next.map(({ key }) => key)).not.toContain('pri_8');
  });

  it('fails when ten keys are accepted', () => {
    const former = Array.from({ length: 10 }, (_, index) => ({ key: `pri_${index}` }));
    expect(() => withNew(former, 'pri_new', times)).toThrow('The secret holds 10 accepted keys');
  });
});

it('no key of a mode is accepted from the end of its last key on', () => {
  const entries = [{ key: 'pri_a', acceptedUntil: now }, { key: 'pri_sandbox_a' }];
  expect(isAnyAccepted(entries, 'live', now)).toBe(false);
  expect(isAnyAccepted(entries, 'live', now - 1)).toBe(true);
  expect(isAnyAccepted(entries, 'sandbox', now)).toBe(true);
});

it('a key is in the overlap until its end, and expired at that moment', () => {
  const until = '2026-11-21T12:00:00.000Z';
  const overlap = { mode: 'sandbox', accepted_until: until, state: 'overlap' };
  expect(rowOf({ key: 'pri_sandbox_a', acceptedUntil: now }, now - 1)).toMatchObject(overlap);
  expect(rowOf({ key: 'pri_a', acceptedUntil: now }, now)).toMatchObject({ state: 'expired' });
});
