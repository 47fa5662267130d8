import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { type AlarmName, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import { recordTerminal } from '../doubles/terminal.ts';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const stack = synthesise(everySetting);
const alarmNames = Object.keys(alarmGuide) as AlarmName[];
const parts = { now: '# Now', today: '# Today', 'this week': '# This week' } as const;

/** What follows a heading, up to the next one of its level or above. */
const partAt = (heading: string): string =>
  runbook
    .split(heading.startsWith('##') ? /^(?=##? )/m : /^(?=# )/m)
    .find((one) => one.startsWith(heading)) ?? '';

describe('the runbook', () => {
  it.each(Object.entries(parts))(
    'has a section for each alarm of the severity "%s", together',
    (severity, part) => {
      const headings = [...partAt(part).matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
      const expected = alarmNames.filter((name) => alarmGuide[name].severity === severity);
      expect(headings.toSorted()).toEqual(expected.toSorted());
    },
  );

  it.each(alarmNames)('explains the meaning, the investigation and the resolution of %s', (name) => {
    const section = partAt(`## ${name}\n`);
    expect(section).toMatch(/\*\*Meaning\.\*\*[\s\S]+\*\*Investigate\.\*\*[\s\S]+\*\*Resolve\.\*\*/);
  });

  it('searches logs for faults by their level, and for failed runs, whose lines have none', () => {
    expect(runbook).toContain(
      '| filter level in ["WARN", "ERROR"] or record.status in ["error", "failure", "timeout"]\n',
    );
  });

  it.each([
    ['WebhookServerErrors', 'Verifier'],
    ['ConsumerErrors', 'Consumer'],
    ['FeedDelayed', 'OrderFeed'],
    ['WebhookAuditIncomplete', 'WebhookAudit'],
  ])('states at %s the timeout of the function %s', (alarm, construct) => {
    const [, seconds] = /timeout of (\d+) seconds/.exec(partAt(`## ${alarm}\n`)) ?? [];
    expect(Number(seconds)).toBe(stack.at(`${construct}/Function/Lambda`).Properties['Timeout']);
  });

  it('names only outputs of the stack', () => {
    const found = [...runbook.matchAll(/`?\b([A-Z][A-Za-z]+(?:Arn|Url|LogGroup|TableName|PrivateKey))\b/g)];
    expect(found.length).toBeGreaterThan(10);
    for (const [, name] of found) expect(Object.keys(stack.outputs)).toContain(name);
  });
});

/** The command lines of the runbook, in code spans and code blocks. */
const commandLines = [...runbook.matchAll(/(?:`|^)(?:npx )?(payhooks [^`\n]+)/gm)].map(
  ([, line = '']) => line,
);

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

/** Whether the command line understands a line: `understood`, or what is wrong. */
async function parse(line: string): Promise<string> {
  const [, ...words] = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  const argv = words.map((word) => placeholders[word] ?? word);
  let outcome = 'no command';
  const understand = async () => {
    outcome = 'understood';
  };
  const program = await createProgram(argv, () => understand, recordTerminal().terminal);
  await program.parseAsync(argv, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    outcome = error.message;
  });
  return outcome;
}

it('the runbook and the guide to alarms name commands that exist, with their options', async () => {
  const lines = new Set([...commandLines, ...alarmNames.map((name) => alarmGuide[name].command)]);
  expect(lines.size).toBeGreaterThan(50);
  for (const line of lines) expect(await parse(line), line).toBe('understood');
  expect(await parse('payhooks keys list --verbose')).toContain("unknown option '--verbose'");
});
