import { NoResponseError, ProblemError } from '@payhooks/order-client';
import { type Confirmed, confirmAct, effectOf, planAct } from '../../operator/acts/act.ts';
import type {
  ActConfirmation,
  ActOutcome,
  ActPlan,
  ActRequest,
  DecisionRequest,
} from '../../operator/acts/documents.ts';
import { openAct } from '../../operator/acts/open-act.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { chosenMode } from '../options.ts';
import { type Session, show } from '../session.ts';
import { printWrapped, type Terminal } from '../terminal.ts';
import { printChanges } from './changes.ts';
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
  const perform = async (by: Parameters<typeof openAct>[2]) => {
    const act = await openAct(stack, request, by);
    return planAndPerform(
      session,
      { ...options, stackOfNext: stack },
      {
        question: () => act.question(),
        plan: (reason) => planAct(act, reason),
        confirm: (confirmed) => confirmAct(act, confirmed),
      },
    );
  };
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

/** What is planned and confirmed: an act, or many. */
export interface Performed {
  question(): string;
  /** `preview` and `result` are what `--json` prints. */
  plan(reason?: string): Promise<{ readonly plan: ActPlan; readonly preview: unknown }>;
  confirm(confirmed: Confirmed): Promise<ActConfirmation & { readonly result: unknown }>;
}

/** Asks again at a terminal when something else has changed meanwhile. */
export async function planAndPerform(
  session: Session,
  options: ActOptions & { readonly stackOfNext: Stack },
  act: Performed,
): Promise<ExitCode> {
  const { terminal, input } = session;
  const { json, dryRun, yes } = options;
  // With --json a person who is asked is still shown what for; --yes asks nobody.
  const screen = json ? { ...terminal, print: yes || dryRun ? () => {} : terminal.note } : terminal;
  if (!dryRun && options.reason === undefined && !input.isTerminal) {
    const message = '--reason is missing: give a sentence that says why. It is kept with the act.';
    throw new CommandError('wrongUsage', message);
  }
  let shown = await act.plan(options.reason || undefined);
  printPlan(screen, shown.plan, options);
  if (dryRun || !shown.plan.is_needed) {
    if (json) terminal.json(shown.preview);
    return exitCodes.done;
  }
  refuseImpossible(shown.plan);
  const reason = options.reason ?? (await input.line('Why? It is kept with the act: '));
  if (reason.trim() === '') throw new CommandError('wrongUsage', 'The reason is empty; nothing was changed.');
  for (;;) {
    await input.confirm(act.question(), options);
    const confirmation = await act.confirm({ shown: shown.plan, reason }).catch((error: unknown) => {
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
          const command = commandAfter(outcome);
          if (command !== undefined)
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

/** The second person's command; or the order that the act leaves with a warning. */
function commandAfter({ proposal, orders }: ActOutcome): string | undefined {
  if (proposal !== null) return `payhooks approvals approve ${proposal}`;
  const [order, ...others] = orders.filter(({ after }) => after.attention.length > 0);
  return order && others.length === 0 ? `payhooks orders show ${shellQuoted(order.order_id)}` : undefined;
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
