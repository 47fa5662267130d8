import type { EventChange } from '@payhooks/order-client';
import type { Command } from 'commander';
import { effectOf } from '../operator/acts/act-effect.ts';
import { CommandError, type ExitCode, exitCodes } from '../operator/operator-error.ts';
import { printable, screenCharacters, wrapped } from '../operator/printable.ts';
import { yesOption } from './options.ts';
import { type OrderChange, printOrderChanges } from './order-changes.ts';
import type { CommonOptions, Session } from './session.ts';
import type { Terminal } from './terminal.ts';

export interface ActOptions extends CommonOptions {
  readonly dryRun?: true;
  readonly reason?: string;
}

/** The options of every command that acts. */
export const addActOptions = (command: Command): Command =>
  command
    .option('--reason <text>', 'why; it is kept with the act (a terminal prompts for it)')
    .option('--dry-run', 'show what would change, and change nothing')
    .addOption(yesOption);

interface ActResult {
  /** False if the act was done before, or has no effect. */
  readonly changed: boolean;
  readonly events: readonly EventChange[];
  readonly orders: readonly OrderChange[];
}

export interface Act<Result extends ActResult> {
  readonly perform: (given: { readonly dry_run: boolean; readonly reason?: string }) => Promise<Result>;
  /** What the act means for orders and for what waits, in one sentence. */
  readonly consequence: (preview: Result) => string | Promise<string>;
  /** Such as `Admit evt-1?` */
  readonly question: string;
  /** Such as `Admitted evt-1.` */
  readonly done: string;
  /** What it means that nothing would change, such as `evt-1 does not wait.` */
  readonly unchanged: (result: Result) => string;
}

/** Shows what an act would do to the money, asks, and then acts. */
export async function runAct<Result extends ActResult>(
  { terminal, input }: Session,
  options: ActOptions,
  act: Act<Result>,
): Promise<ExitCode> {
  const { json, dryRun } = options;
  if (!dryRun && options.reason === undefined && !input.isTerminal) {
    const message = '--reason is missing: give a sentence that says why. It is kept with the act.';
    throw new CommandError('wrongUsage', message);
  }
  const preview = await act.perform({ dry_run: true, ...(options.reason && { reason: options.reason }) });
  if (!json) {
    const text = preview.changed
      ? await act.consequence(preview)
      : `Nothing to do: ${act.unchanged(preview)}`;
    for (const line of wrapped(text, screenCharacters)) terminal.print(line);
    if (preview.changed) printChanges(terminal, preview);
  }
  if (dryRun || !preview.changed) {
    if (json) terminal.json(preview);
    return exitCodes.done;
  }
  const reason = options.reason ?? (await input.line('Why? It is kept with the act: '));
  if (reason.trim() === '') throw new CommandError('wrongUsage', 'The reason is empty; nothing was changed.');
  await input.confirm(act.question, options);
  const result = await act.perform({ dry_run: false, reason });
  if (json) terminal.json(result);
  else printResult(terminal, act, { preview, result });
  return exitCodes.done;
}

interface Run<Result> {
  readonly preview: Result;
  readonly result: Result;
}

/** Another operator, or an event, may come between the preview and the act. */
function printResult<Result extends ActResult>(
  terminal: Terminal,
  act: Act<Result>,
  { preview, result }: Run<Result>,
): void {
  if (!result.changed) {
    terminal.print(`Nothing was changed, because something else changed meanwhile: ${act.unchanged(result)}`);
    return;
  }
  terminal.print(act.done);
  if (effectOf(preview) === effectOf(result)) return;
  terminal.print(terminal.style('yellow', 'Something else changed meanwhile. This is what was done:'));
  printChanges(terminal, result);
}

/** An act may concern more events than its subject, such as a refund that waits for the same payment. */
function printChanges(terminal: Terminal, { events, orders }: ActResult): void {
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
