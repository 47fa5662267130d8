import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token } from 'marked';
import { nextCommand, type Stack } from '../../../cli/target/stack.ts';
import { type AlarmGuide, alarmGuide } from '../../../lambdas/contract/alarm-guide.ts';
import { waitingGauges } from '../../../lambdas/contract/metrics.ts';
import type { Runbook } from '../../contract/runbook.ts';
import { blocksOf } from './blocks.ts';

const path = join(import.meta.dirname, '../../../docs/runbook.md');

const waitingAlarms: readonly string[] = [
  ...Object.values(waitingGauges),
  'DeadLettersPresent',
  'FeedFailuresPresent',
];

/** Reads the alarm's section of the runbook, with commands for this stack; `undefined` if it has none. */
export function createRunbook(stack: Stack): (alarm: string) => Runbook | undefined {
  const sections = sectionsOf(lexer(readFileSync(path, 'utf8')));
  return function readRunbook(alarm) {
    const guides: Readonly<Record<string, AlarmGuide>> = alarmGuide;
    const guide = Object.hasOwn(guides, alarm) ? guides[alarm] : undefined;
    const tokens = sections.get(alarm);
    if (guide === undefined || tokens === undefined) return undefined;
    const { severity, command } = guide;
    return {
      alarm,
      severity,
      command: command === 'payhooks status' ? null : nextCommand(stack, command),
      is_about_waiting: waitingAlarms.includes(alarm),
      blocks: blocksOf(tokens, stack),
    };
  };
}

/** What follows each heading of the second level. */
function sectionsOf(tokens: readonly Token[]): ReadonlyMap<string, readonly Token[]> {
  const sections = new Map<string, Token[]>();
  let current: Token[] = [];
  for (const token of tokens) {
    if (token.type !== 'heading') {
      current.push(token);
      continue;
    }
    current = [];
    if (token['depth'] === 2) sections.set(token['text'], current);
  }
  return sections;
}
