import type { EventChange } from '@payhooks/order-client';
import type { Command } from 'commander';
import { type Act, confirmAct, effectOf, type Planned, planAct } from '../../operator/acts/act.ts';
import type { ActPlan, ActRequest } from '../../operator/acts/documents.ts';
import { openAct } from '../../operator/acts/open-act.ts';
import type { RequestPages } from '../../operator/acts/pages.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable, screenCharacters, wrapped } from '../../operator/printable.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import { sandboxOption, yesOption } from '../options.ts';
import type { CommonOptions, Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { printOrderChanges } from './order-changes.ts';
import { waitFor } from './wait.ts';

export interface ActOptions extends CommonOptions {
  readonly dryRun?: true;
  readonly reason?: string;
  readonly sandbox?: true;
}

/** The options of every command that acts. */
export const addActOptions = (command: Command): Command =>
  command
    .option('--reason <text>', 'why; it is kept with the act (a terminal prompts for it)')
    .option('--dry-run', 'show what would change, and change nothing')
    .addOption(sandboxOption())
    .addOption(yesOption);

interface Performance {
  readonly stack: Stack;
  readonly request: ActRequest;
  readonly requestPages?: RequestPages;
}

/** Shows what an act would do to the money, asks, and then acts. */
export async function runAct(
  session: Session,
  options: ActOptions,
  { stack, request, requestPages }: Performance,
): Promise<ExitCode> {
  const { terminal, input } = session;
  const { json, dryRun } = options;
  if (!dryRun && options.reason === undefined && !input.isTerminal) {
    const message = '--reason is missing: give a sentence that says why. It is kept with the act.';
    throw new CommandError('wrongUsage', message);
  }
  const performer = { wait: waitFor(terminal), ...(requestPages && { requestPages }) };
  const act = openAct(stack, request, performer);
  const planned = await planAct(act, options.reason || undefined);
  if (!json) printPlan(terminal, planned.plan);
  if (!dryRun && planned.plan.is_needed) return perform(session, options, { act, planned });
  if (json) terminal.json(planned.preview);
  return exitCodes.done;
}

interface Seen {
  readonly act: Act;
  readonly planned: Planned;
}

/** Asks again at a terminal when something else has changed meanwhile. */
async function perform(session: Session, options: ActOptions, { act, planned }: Seen): Promise<ExitCode> {
  const { terminal, input } = session;
  const reason = options.reason ?? (await input.line('Why? It is kept with the act: '));
  if (reason.trim() === '') throw new CommandError('wrongUsage', 'The reason is empty; nothing was changed.');
  for (let shown = planned; ; ) {
    await input.confirm(act.question, options);
    const confirmation = await confirmAct(act, { shown: shown.plan, reason });
    const { step, result } = confirmation;
    if (step === 'done') {
      if (options.json) terminal.json(result);
      else printOutcome(terminal, shown, confirmation.outcome);
      return exitCodes.done;
    }
    shown = { plan: confirmation.plan, preview: result };
    const message = 'Something else changed meanwhile, so nothing was done.';
    if (!options.json) {
      terminal.print(terminal.style('yellow', `${message} It would now do this:`));
      printPlan(terminal, shown.plan);
    }
    if (options.yes || !shown.plan.is_needed) {
      throw new CommandError('failed', shown.plan.is_needed ? `${message} Run it again.` : message);
    }
  }
}

function printPlan(terminal: Terminal, plan: ActPlan): void {
  const { sentence, is_needed, context } = plan;
  for (const line of context) terminal.print(line);
  for (const line of wrapped(is_needed ? sentence : `Nothing to do: ${sentence}`, screenCharacters)) {
    terminal.print(line);
  }
  if (is_needed) printChanges(terminal, plan);
}

type Changes = Pick<ActPlan, 'events' | 'orders'>;

/** What was done is printed where it is not what was shown: a long run has only one dry run. */
function printOutcome(
  terminal: Terminal,
  { plan }: Planned,
  outcome: Changes & { readonly sentence: string },
): void {
  for (const line of wrapped(outcome.sentence, screenCharacters)) terminal.print(line);
  const isNew = outcome.events.length + outcome.orders.length > 0 && effectOf(plan) !== effectOf(outcome);
  if (!isNew) return;
  terminal.print(terminal.style('yellow', 'Something else changed meanwhile. This is what was done:'));
  printChanges(terminal, outcome);
}

/** An act may concern more events than its subject, such as a refund that waits for the same payment. */
function printChanges(terminal: Terminal, { events, orders }: Changes): void {
  for (const { event_id, body_sha256, before, after } of events) {
    const name = event_id ?? body_sha256?.slice(0, 12);
    if (name !== undefined)
      terminal.print(
        `event ${printable(name)}  ${stateText(before)} -> ${stateText(after)}${judgedText(before, after)}`,
      );
  }
  printOrderChanges(terminal, orders);
}

type EventState = EventChange['before'] & { readonly order_id?: string | null };

/** A judgement may change only that the event waits. */
const judgedText = (before: EventState | null, after: EventState): string =>
  before?.outcome === after.outcome && before.waiting !== null && after.waiting === null ? ' (judged)' : '';

function stateText(state: EventState | null): string {
  if (state === null) return 'new';
  const { outcome, waiting, order_id } = state;
  const place = order_id === undefined || order_id === null ? '' : ` in ${printable(order_id)}`;
  return `${outcome ?? 'no meaning'}${place}${waiting === null ? '' : ' (waits)'}`;
}
