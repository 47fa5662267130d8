import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';

describe('npm run crash-points', () => {
  it('adds 500 pairs of seed 1 unless flags say otherwise', () => {
    expect(readOptions([])).toEqual({ pairs: 500, seed: '1', isHelp: false });
    expect(readOptions(['--pairs', '20', '--seed', '7'])).toEqual({ pairs: 20, seed: '7', isHelp: false });
  });

  it.each([
    [['--pairs', 'many'], '--pairs is "many"; expected a whole number from 1 to 1000000.'],
    [['--pairs', '0'], '--pairs is "0"; expected a whole number from 1 to 1000000.'],
    [['--pair', '20'], "Unknown option '--pair'"],
  ])('refuses %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
