import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';

describe('npm run simulate-faults', () => {
  it('runs twenty seeds by default, the seeds that are given, or one seed alone', () => {
    expect(readOptions([])).toMatchObject({ firstSeed: 1, seeds: 20, isTraced: false });
    expect(readOptions(['--seeds', '500'])).toMatchObject({ firstSeed: 1, seeds: 500 });
    expect(readOptions(['--seed', '42', '--trace'])).toMatchObject({
      firstSeed: 42,
      seeds: 1,
      isTraced: true,
    });
    expect(readOptions(['--seed', '42', '--seeds', '3'])).toMatchObject({ firstSeed: 42, seeds: 3 });
    expect(readOptions(['--help'])).toMatchObject({ isHelp: true });
  });

  it('looks for one deliberate bug, or for all', () => {
    expect(readOptions([])).toMatchObject({ bug: undefined, isWritten: false });
    expect(readOptions(['--bug', 'lock-expires'])).toMatchObject({ bug: 'lock-expires', isWritten: false });
    expect(readOptions(['--bugs'])).toMatchObject({ bug: 'all', isWritten: false });
    expect(readOptions(['--bugs', '--write'])).toMatchObject({ bug: 'all', isWritten: true });
  });

  it.each([
    [['--seeds', '0'], '--seeds is "0"; expected a whole number from 1 to 1000000000.'],
    [['--seed', 'x'], '--seed is "x"; expected a whole number from 1 to 1000000000.'],
    [['--seeds', '2', '--trace'], '--trace prints one seed, and 2 are to run; expected --seed S --trace.'],
    [['--bug', 'none'], '--bug is "none"; expected one of acknowledge-before-send,'],
    [['--write'], '--write writes the table of all bugs; expected --bugs --write.'],
    [['--colour'], "Unknown option '--colour'"],
    [['7'], "Unexpected argument '7'"],
  ])('refuses %j with a sentence that says what is expected', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
