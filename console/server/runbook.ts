import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type MarkedToken, type Token, walkTokens } from 'marked';
import { type AlarmGuide, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import type { Runbook } from '../contract/runbook.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { ConsoleProblem } from './problem.ts';

const path = join(import.meta.dirname, '../../docs/runbook.md');

const waitingAlarms: readonly string[] = [
  'DecisionsWaiting',
  'WaitingKindsAdded',
  'DeadLettersPresent',
  'FeedFailuresPresent',
];

export function runbookRoute({ stack }: ConsoleContext): ConsoleRoute {
  let readRunbook: ReturnType<typeof createRunbook> | undefined;
  return {
    method: 'GET',
    path: '/console/api/runbook/{alarm}',
    async handle({ parameters: { alarm = '' } }): Promise<Runbook> {
      readRunbook ??= createRunbook(await stack());
      const runbook = readRunbook(alarm);
      if (runbook !== undefined) return runbook;
      throw new ConsoleProblem(
        404,
        'The runbook of this version has no section for this alarm: its name is misspelt, or a newer ' +
          'version of payhooks deployed it.',
      );
    },
  };
}

/** Reads the alarm's section of the runbook, with commands for this stack; `undefined` if it has none. */
export function createRunbook(stack: Stack): (alarm: string) => Runbook | undefined {
  const tokens = lexer(readFileSync(path, 'utf8'));
  walkTokens(tokens, (token) => adapt(token as MarkedToken, stack));
  const sections = sectionsOf(tokens);
  return function readRunbook(alarm) {
    const guides: Readonly<Record<string, AlarmGuide>> = alarmGuide;
    const guide = Object.hasOwn(guides, alarm) ? guides[alarm] : undefined;
    const section = sections.get(alarm);
    if (guide === undefined || section === undefined) return undefined;
    const { command } = guide;
    return {
      tokens: section,
      command: command === 'payhooks status' ? null : nextCommand(stack, command),
      is_about_waiting: waitingAlarms.includes(alarm),
    };
  };
}

/** The runbook leaves out `npx` and `--stack`, and names outputs; its links lead from `docs/`. */
function adapt(token: MarkedToken & { command?: string }, stack: Stack): void {
  if (token.type === 'code' && token.lang === 'sh')
    token.text = token.text
      .split('\n')
      .map((line) => withOutputs(line, stack))
      .map((line) => completeCommand(line, stack) ?? line)
      .join('\n');
  if (token.type === 'codespan') {
    const command = completeCommand(token.text, stack);
    if (command !== undefined) token.command = command;
  }
  if (token.type === 'link') token.href = targetOf(token.href);
}

const completeCommand = (code: string, stack: Stack): string | undefined =>
  /^payhooks \S/.test(code) ? nextCommand(stack, code) : undefined;

const withOutputs = (line: string, { outputs }: Stack): string =>
  line.replaceAll(/\b[A-Z]\w+\b/g, (name) => {
    const value = outputs[name];
    return value === undefined ? name : shellQuoted(value);
  });

function targetOf(href: string): string {
  if (href === '#what-waits') return '/console/waiting';
  const alarm = Object.keys(alarmGuide).find((name) => href === `#${name.toLowerCase()}`);
  if (alarm !== undefined) return `/console/alarms/${alarm}`;
  if (/^https?:/.test(href)) return href;
  if (href.startsWith('#')) return `docs/runbook.md${href}`;
  return href.startsWith('../') ? href.slice(3) : `docs/${href}`;
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
