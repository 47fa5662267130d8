import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AlarmName, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const alarmNames = Object.keys(alarmGuide) as AlarmName[];
const parts = { now: '# Now', today: '# Today', 'this week': '# This week' } as const;

/** What follows a heading of the first level, up to the next one. */
const partOf = (heading: string): string =>
  runbook.split(/^(?=# )/m).find((part) => part.startsWith(heading)) ?? '';
const headingsIn = (text: string): string[] =>
  [...text.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);

describe('the runbook', () => {
  it('has one section per alarm and none for an alarm that does not exist', () => {
    expect(headingsIn(runbook).toSorted()).toEqual(alarmNames.toSorted());
  });

  it.each(alarmNames)('explains the meaning, the investigation and the resolution of %s', (name) => {
    const section = runbook.split(/^##? /m).find((part) => part.startsWith(`${name}\n`));
    expect(section).toMatch(/\*\*Meaning\.\*\*[\s\S]+\*\*Investigate\.\*\*[\s\S]+\*\*Resolve\.\*\*/);
  });

  it.each(Object.entries(parts))(
    'has the alarms of the severity "%s" together, and lists them first',
    (severity, part) => {
      const expected = alarmNames.filter((name) => alarmGuide[name].severity === severity);
      expect(headingsIn(partOf(part)).toSorted()).toEqual(expected.toSorted());
      const row = runbook.split('\n').find((line) => line.startsWith(`| **${severity}**`)) ?? '';
      const listed = [...row.matchAll(/\[`(\w+)`\]\(#(\w+)\)/g)];
      expect(listed.map(([, name = '']) => name)).toEqual(headingsIn(partOf(part)));
      for (const [, name = '', anchor] of listed) expect(anchor).toBe(name.toLowerCase());
    },
  );

  it('searches logs for faults by their level, and for failed runs, whose lines have none', () => {
    expect(runbook).toContain(
      '| filter level in ["WARN", "ERROR"] or record.status in ["error", "failure", "timeout"]\n',
    );
  });

  it('states the timeouts of the functions', () => {
    const stack = synthesise(everySetting);
    const timeoutOf = (construct: string): unknown =>
      stack.at(`${construct}/Function/Lambda`).Properties['Timeout'];
    const timeouts = /^## (\w+)\n\n\*\*Meaning\.\*\*(?:(?!\n\n)[\s\S])*timeout of (\d+) seconds/gm;
    const stages: Readonly<Record<string, string>> = {
      WebhookServerErrors: 'Verifier',
      ConsumerErrors: 'Consumer',
      FeedErrors: 'OrderFeed',
      WebhookAuditSilent: 'WebhookAudit',
    };
    const stated = [...runbook.matchAll(timeouts)];
    expect(stated.map(([, alarm]) => alarm)).toEqual(Object.keys(stages));
    for (const [, alarm = '', seconds] of stated)
      expect(timeoutOf(stages[alarm] ?? ''), alarm).toBe(Number(seconds));
  });

  it('names only outputs of the stack', () => {
    const { outputs } = synthesise(everySetting);
    const found = [...runbook.matchAll(/`?\b([A-Z][A-Za-z]+(?:Arn|Url|LogGroup|TableName|PrivateKey))\b/g)];
    expect(found.length).toBeGreaterThan(10);
    for (const [, name] of found) expect(Object.keys(outputs)).toContain(name);
  });
});
