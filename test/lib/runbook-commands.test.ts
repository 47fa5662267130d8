import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { type AlarmName, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';

const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const alarmNames = Object.keys(alarmGuide) as AlarmName[];

/** The command lines of the runbook, in code spans and code blocks. */
const commandLines = (): string[] => {
  const spans = [...runbook.matchAll(/`((?:npx )?payhooks [^`\n]+)`/g)].map(([, line = '']) => line);
  const lines = [...runbook.matchAll(/^((?:npx )?payhooks .+)$/gm)].map(([, line = '']) => line);
  return [...new Set([...spans, ...lines].map((line) => line.replace(/^npx /, '')))];
};

const placeholders: Readonly<Record<string, string>> = {
  ID: 'evt-1',
  ORDER_ID: 'order-1',
  EVENT_ID: 'evt-1',
  KEY_ID: '2e3b65441472',
  HASH: 'a'.repeat(64),
  NAME: 'refund',
  FILE: 'body.json',
  VALUE: 'b'.repeat(64),
};

/** Whether the command line understands a line: the path of its command, or what is wrong. */
async function parse(line: string): Promise<string> {
  const [, ...words] = (line.match(/"[^"]*"|\S+/g) ?? [])
    .map((word) => word.replaceAll('"', ''))
    .map((word) => placeholders[word] ?? word);
  let isUnderstood = false;
  const understand = async () => {
    isUnderstood = true;
  };
  const program = await createProgram(words, () => understand, { print: () => {}, note: () => {} });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.message;
    throw error;
  }
  return isUnderstood ? 'understood' : 'no command';
}

describe('the runbook', () => {
  it.each(commandLines())('names a command that exists, with its options: %s', async (line) => {
    expect(await parse(line)).toBe('understood');
  });
});

describe('the guide to alarms', () => {
  it.each(alarmNames)('names a command for %s that exists, with its options', async (name) => {
    expect(await parse(alarmGuide[name].command)).toBe('understood');
  });
});

describe('the commands that these tests accept', () => {
  it.each([
    ['payhooks wait', "unknown command 'wait'"],
    ['payhooks keys list --verbose', "unknown option '--verbose'"],
    ['payhooks dlq show', "missing required argument 'message'"],
    ['payhooks dlq', '(outputHelp)'],
  ])('do not include %s', async (line, expected) => {
    expect(await parse(line)).toContain(expected);
  });
});
