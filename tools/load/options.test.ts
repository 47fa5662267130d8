import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';

describe('npm run load', () => {
  it('sends for 30 seconds over 16 connections, as fast as they can, unless flags say otherwise', () => {
    expect(readOptions([])).toEqual({
      seconds: 30,
      connections: 16,
      rate: undefined,
      webhooks: undefined,
      picture: undefined,
      isHelp: false,
    });
    const args = ['--seconds', '600', '--connections', '200', '--rate', '500', '--picture', 'docs/load.svg'];
    expect(readOptions(args)).toEqual({
      seconds: 600,
      connections: 200,
      rate: 500,
      webhooks: undefined,
      picture: 'docs/load.svg',
      isHelp: false,
    });
  });

  it('sends a number of webhooks instead, which ends when each has a response', () => {
    expect(readOptions(['--webhooks', '20', '--connections', '4'])).toMatchObject({
      webhooks: 20,
      connections: 4,
    });
  });

  it.each([
    [['--seconds', '0'], '--seconds is "0"; expected a whole number from 1 to 3600.'],
    [['--connections', '1e3'], '--connections is "1e3"; expected a whole number from 1 to 2000.'],
    [['--rate', 'fast'], '--rate is "fast"; expected a whole number from 1 to 10000.'],
    [['--picture', 'load.png'], '--picture is "load.png"; expected a file name that ends in .svg.'],
    [
      ['--webhooks', '9', '--seconds', '9'],
      '--seconds and --webhooks both end the load; expected one of them.',
    ],
    [['--webhooks', '9'], '--webhooks is 9, fewer than 16 connections; expected --connections 9.'],
    [['--second', '3'], "Unknown option '--second'"],
    [['30'], "Unexpected argument '30'"],
  ])('refuses %j with a sentence that says what is expected', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
