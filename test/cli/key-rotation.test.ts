import { describe, expect, it } from 'vitest';
import { isAnyAccepted, keyId, rowOf, withEnd, withNew, withOnly } from '../../cli/keys/key-rotation.ts';

const now = Date.UTC(2026, 10, 21, 12, 0, 0);
const hour = 3_600_000;
const times = { now, overlapEnds: now + 24 * hour };

describe('a new key', () => {
  it('comes first and expires the others of its mode at the end of the overlap', () => {
    const next = withNew([{ key: 'pri_old' }, { key: 'pri_sandbox_old' }], 'pri_new', times);
    expect(next).toEqual([
      { key: 'pri_new' },
      { key: 'pri_old', acceptedUntil: Date.UTC(2026, 10, 22, 12, 0, 0) },
      { key: 'pri_sandbox_old' },
    ]);
  });

  it('does not postpone an earlier end', () => {
    const former = [{ key: 'pri_b' }, { key: 'pri_a', acceptedUntil: now + hour }];
    expect(withNew(former, 'pri_c', times)[2]).toEqual({ key: 'pri_a', acceptedUntil: now + hour });
  });

  it('that was already listed is listed once, without an end', () => {
    const former = [{ key: 'pri_b' }, { key: 'pri_a', acceptedUntil: now - hour }];
    expect(withNew(former, 'pri_a', times)).toEqual([
      { key: 'pri_a' },
      { key: 'pri_b', acceptedUntil: now + 24 * hour },
    ]);
  });

  it('replaces the key that expired first when there are ten', () => {
    const ended = [1, 2, 3, 4, 5, 6, 7, 8].map((age) => ({
      key: `pri_${age}`,
      acceptedUntil: now - age * hour,
    }));
    const former = [{ key: 'pri_live' }, ...ended, { key: 'pri_sandbox_a' }];
    const next = withNew(former, 'pri_new', times);
    expect(next).toHaveLength(10);
    expect(next.map(({ key }) => key)).not.toContain('pri_8');
  });

  it('is refused when ten keys are accepted', () => {
    const former = Array.from({ length: 10 }, (_, index) => ({ key: `pri_${index}` }));
    expect(() => withNew(former, 'pri_new', times)).toThrow('The secret holds 10 accepted keys');
  });
});

describe('a key that is set', () => {
  it('replaces the keys of its mode and keeps the others', () => {
    const former = [{ key: 'pri_a' }, { key: 'pri_sandbox_a' }, { key: 'pri_b', acceptedUntil: now }];
    expect(withOnly(former, 'pri_new')).toEqual([{ key: 'pri_new' }, { key: 'pri_sandbox_a' }]);
    expect(withOnly(former, 'pri_sandbox_new')).toEqual([
      { key: 'pri_sandbox_new' },
      { key: 'pri_a' },
      { key: 'pri_b', acceptedUntil: now },
    ]);
  });
});

describe('the end of a key', () => {
  it('is set for that key only', () => {
    const former = [{ key: 'pri_a' }, { key: 'pri_b' }];
    expect(withEnd(former, keyId('pri_b'), now).next).toEqual([
      { key: 'pri_a' },
      { key: 'pri_b', acceptedUntil: now },
    ]);
  });

  it('is refused for an unknown id, without quoting a key', () => {
    expect(() => withEnd([{ key: 'pri_a' }], '000000000000', now)).toThrow(
      `No key has the id 000000000000. The ids are: ${keyId('pri_a')}.`,
    );
  });

  it('leaves no key accepted when it was the last of its mode', () => {
    const entries = [{ key: 'pri_a', acceptedUntil: now }, { key: 'pri_sandbox_a' }];
    expect(isAnyAccepted(entries, 'live', now)).toBe(false);
    expect(isAnyAccepted(entries, 'live', now - 1)).toBe(true);
    expect(isAnyAccepted(entries, 'sandbox', now)).toBe(true);
  });
});

describe('the row of a key', () => {
  it('holds its id, mode, end and state', () => {
    // sha256("payhooks key id:pri_a"), as openssl prints it.
    expect(rowOf({ key: 'pri_a' }, now)).toEqual({
      id: 'ecbe8958cca9',
      mode: 'live',
      accepted_until: null,
      state: 'current',
    });
    const until = '2026-11-21T12:00:00.000Z';
    expect(rowOf({ key: 'pri_sandbox_a', acceptedUntil: now }, now - 1)).toMatchObject({
      mode: 'sandbox',
      accepted_until: until,
      state: 'overlap',
    });
    expect(rowOf({ key: 'pri_a', acceptedUntil: now }, now)).toMatchObject({ state: 'expired' });
  });
});
