import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { readSimulateOptions } from '../../src/command/simulate-options.ts';

/** Reads a command line; a wrong one throws, with the exit code and what was written. */
function read(...argv: string[]) {
  let written = '';
  const write = (text: string): void => {
    written += text;
  };
  return readSimulateOptions(argv, (command: Command) => {
    const output = { writeErr: write, writeOut: write, getOutHelpWidth: () => 200 };
    command.configureOutput(output).exitOverride(({ exitCode }) => {
      throw new Error(`${exitCode}: ${written}`);
    });
  });
}

describe('the command line', () => {
  const defaults = {
    port: 4810,
    scopes: ['create-webhooks', 'update-webhooks', 'delete-webhooks', 'view-webhooks'],
    signatureHeader: 'X-SERVICE-SIGNATURE',
    misbehave: [],
  };

  it.each([
    ['', {}],
    ['--private-key pri_x --sandbox-key pri_sandbox_y', { privateKey: 'pri_x', sandboxKey: 'pri_sandbox_y' }],
    ['--port 0', { port: 0 }],
    ['--port 65535', { port: 65_535 }],
    ['--scopes none', { scopes: [] }],
    ['--scopes view-webhooks,xy,xy', { scopes: ['view-webhooks', 'xy'] }],
    ['--webhook-url https://shop.example/', { webhookUrl: 'https://shop.example/' }],
    ['--signature-header x-s', { signatureHeader: 'x-s' }],
    ['--misbehave [{"kind":"wrong_key"}]', { misbehave: [{ kind: 'wrong_key' }] }],
  ])('reads "%s"', (flags, options) => {
    expect(read(...flags.split(' ').filter(Boolean))).toEqual({ ...defaults, ...options });
  });

  it.each([
    ['--port', '65536', /Expected a whole number from 0 to 65535/],
    ['--port', '0x10', /Expected a whole number from 0 to 65535/],
    ['--webhook-url', 'http://shop.example/', /Expected an https URL; http only for a loopback address/],
    ['--scopes', 'a,,b', /Expected names such as view-webhooks/],
    ['--signature-header', 'x y', /Expected the name of a header/],
    ['--misbehave', '[{"kind":"x"}]', /\$\[0\]\.kind is a string; expected \("duplicate"/],
    ['--misbehave', '{', /\$ is missing; expected an array/],
  ])('refuses %s %s with a sentence', (flag, value, sentence) => {
    expect(() => read(flag, value)).toThrow(/^1: error: option /);
    expect(() => read(flag, value)).toThrow(sentence);
  });

  it('has examples and every misbehaviour in its help', () => {
    expect(() => read('--help')).toThrow(
      /^0: Usage: npm run simulate -- .*Examples:.*Misbehaviours: duplicate, wrong_key, reserialised_body/s,
    );
  });
});
