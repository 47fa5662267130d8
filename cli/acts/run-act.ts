import { type EventChange, NoResponseError, type OrderChange, ProblemError } from '@payhooks/order-client';
import { type Act, confirmAct, effectOf, keepsState, planAct } from '../../operator/acts/act.ts';
import type { ActOutcome, ActPlan, ActRequest, DecisionRequest } from '../../operator/acts/documents.ts';
import { openAct } from '../../operator/acts/open-act.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { chosenMode } from '../options.ts';
import { type Session, show } from '../session.ts';
import { idText, printWrapped, type Terminal } from '../terminal.ts';
import { grouped } from './groups.ts';
import type { ActOptions, RunOptions } from './options.ts';
import { interruptible, pagesOf, waitFor } from './pages.ts';

/** Shows what an act would do to the money, asks, and then acts. */
export async function runAct(
  session: Session,
  options: RunOptions,
  requestOf: ActRequest | DecisionRequest | ((stack: Stack) => Promise<ActRequest>),
): Promise<ExitCode> {
  const stack = await session.stack(options);
  const request = typeof requestOf === 'function' ? await requestOf(stack) : requestOf;
  const perform = async (by: Parameters<typeof openAct>[2]) =>
    planAndPerform(session, { ...options, stackOfNext: stack }, await openAct(stack, request, by));
  if (!inPages.has(request.act)) return perform({ wait: waitFor(session.terminal) });
  return interruptible(session, (stop) =>
    perform({
      wait: waitFor(session.terminal, stop.signal),
      signal: stop.signal,
      requestPages: pagesOf(session, { ...options, stop }),
    }),
  );
}

/** Those that may take many pages. */
const inPages: ReadonlySet<string> = new Set(['replay', 'erase', 'approve']);

/** Asks again at a terminal when something else has changed meanwhile. */
async function planAndPerform(
  session: Session,
  options: ActOptions & { readonly stackOfNext: Stack },
  act: Act,
): Promise<ExitCode> {
  const { terminal, input } = session;
  const { json, dryRun, yes } = options;
  // With --json a person who is asked is still shown what for; --yes asks nobody.
  const screen = json ? { ...terminal, print: yes || dryRun ? () => {} : terminal.note } : terminal;
  if (!dryRun && options.reason === undefined && !input.isTerminal) {
    const message = '--reason is missing: give a sentence that says why. It is kept with the act.';
    throw new CommandError('wrongUsage', message);
  }
  let shown = await planAct(act, options.reason || undefined);
  printPlan(screen, shown.plan, options);
  if (dryRun || !shown.plan.is_needed) {
    if (json) terminal.json(shown.preview);
    return exitCodes.done;
  }
  refuseImpossible(shown.plan);
  const reason = options.reason ?? (await input.line('Why? It is kept with the act: '));
  if (reason.trim() === '') throw new CommandError('wrongUsage', 'The reason is empty; nothing was changed.');
  for (;;) {
    await input.confirm(act.question, options);
    const confirmation = await confirmAct(act, { shown: shown.plan, reason }).catch((error: unknown) => {
      if (isUncertain(error)) {
        terminal.note('It may have been done. Run it again: a repetition changes nothing more.');
      }
      throw error;
    });
    if (confirmation.step === 'done') {
      const { result, outcome } = confirmation;
      const { plan } = shown;
      return show(session, options, {
        document: result,
        print() {
          printOutcome(terminal, { plan, outcome }, options);
          if (outcome.proposal === null) return;
          const command = `payhooks approvals approve ${outcome.proposal}`;
          terminal.print(`→ ${nextCommand(options.stackOfNext, command, chosenMode(options))}`);
        },
      });
    }
    shown = { plan: confirmation.plan, preview: confirmation.result };
    const message = 'Something else changed meanwhile, so nothing was done.';
    screen.print(screen.style('yellow', `${message} It would now do this:`));
    printPlan(screen, shown.plan, options);
    refuseImpossible(shown.plan);
    if (yes || !shown.plan.is_needed) {
      throw new CommandError('failed', shown.plan.is_needed ? `${message} Run it again.` : message);
    }
  }
}

function refuseImpossible({ is_possible, sentence }: ActPlan): void {
  if (!is_possible) throw new CommandError('failed', sentence);
}

/** A request that got no response may have been carried out, and so may one whose server failed. */
const isUncertain = (error: unknown): boolean =>
  error instanceof NoResponseError || (error instanceof ProblemError && error.status >= 500);

function printPlan(terminal: Terminal, plan: ActPlan, options: ActOptions): void {
  const { sentence, is_needed, is_possible, context } = plan;
  for (const line of context) terminal.print(line);
  // The error has that of one that cannot be done.
  if (is_possible) printWrapped(terminal, is_needed ? sentence : `Nothing to do: ${sentence}`);
  if (is_needed) printChanges(terminal, plan, options);
}

/** What was done is printed where it is not what was shown: a long run has only one dry run. */
function printOutcome(
  terminal: Terminal,
  { plan, outcome }: { readonly plan: ActPlan; readonly outcome: ActOutcome },
  options: ActOptions,
): void {
  printWrapped(terminal, outcome.sentence);
  const isNew = outcome.events.length + outcome.orders.length > 0 && effectOf(plan) !== effectOf(outcome);
  if (!isNew) return;
  terminal.print(terminal.style('yellow', 'Something else changed meanwhile. This is what was done:'));
  printChanges(terminal, outcome, options);
}

/** An act may concern more events than its subject, such as a refund that waits for the same payment. */
export function printChanges(
  terminal: Terminal,
  { events, orders }: Pick<ActPlan, 'events' | 'orders'>,
  options: Pick<ActOptions, 'verbose'>,
): void {
  const isVerbose = options.verbose === true;
  const { listed, lines } = grouped(events, {
    what: 'events',
    kindOf: ({ before, after }) => `${before?.outcome ?? 'new'} -> ${after.outcome ?? 'no meaning'}`,
    isVerbose,
  });
  for (const { event_id, body_sha256, before, after } of listed) {
    const name = event_id === null ? idText(terminal, body_sha256 ?? '', 13) : idText(terminal, event_id);
    // A judgement may change only that the event waits.
    const isOnlyJudged =
      before?.outcome === after.outcome && before.waiting !== null && after.waiting === null;
    const judged = isOnlyJudged ? ' (judged)' : '';
    if (name !== '') terminal.print(`event ${name}  ${stateText(before)} -> ${stateText(after)}${judged}`);
  }
  for (const line of lines) terminal.print(line);
  printOrderChanges(terminal, orders, { isVerbose });
}

type EventState = EventChange['before'] & { readonly order_id?: string | null };

function stateText(state: EventState | null): string {
  if (state === null) return 'new';
  const { outcome, waiting, order_id } = state;
  const place = order_id === undefined || order_id === null ? '' : ` in ${printable(order_id)}`;
  return `${outcome ?? 'no meaning'}${place}${waiting === null ? '' : ' (waits)'}`;
}

/**
 * Prints what an act changes in each order as a diff: the money of each transaction and the attention, with
 * `-` for what was and `+` for what is then. What stays is left out.
 */
function printOrderChanges(
  terminal: Terminal,
  changes: readonly OrderChange[],
  options: { readonly isVerbose: boolean },
): void {
  if (changes.length === 0) terminal.print('No order changes.');
  const { listed, lines } = grouped(changes, {
    what: 'orders',
    unchangedOf: (change) => (keepsState(change) ? 'keep their state' : undefined),
    kindOf: statusText,
    ...options,
  });
  for (const change of listed) {
    const { order_id, before, after } = change;
    terminal.print(`${terminal.style('bold', idText(terminal, order_id))}  ${statusText(change)}`);
    const [old, next] = [before === null ? [] : linesOf(before), linesOf(after)];
    const [removed, added] = [
      old.filter((line) => !next.includes(line)),
      next.filter((line) => !old.includes(line)),
    ];
    for (const line of removed) terminal.print(terminal.style('red', `  - ${line}`));
    for (const line of added) terminal.print(terminal.style('green', `  + ${line}`));
    if (removed.length + added.length > 0) continue;
    terminal.print(`    only its history: sequence ${before?.sequence ?? 0} -> ${after.sequence}`);
  }
  for (const line of lines) terminal.print(line);
}

function statusText({ before, after }: OrderChange): string {
  const was = before === null ? 'new' : before.status;
  return was === after.status ? `stays ${was}` : `${was} -> ${after.status}`;
}

const linesOf = ({ transactions, attention }: OrderChange['after']): readonly string[] => [
  ...transactions.map(({ id, status, amount, currency }) => {
    const subject = id === null ? 'transaction without id' : `transaction ${printable(id)}`;
    const sum = [amount ?? 'unknown amount', currency ?? ''].map((part) => printable(part)).join(' ');
    return `${subject}  ${status}  ${sum.trim()}`;
  }),
  ...attention.map((name) => `attention  ${printable(name)}`),
];
