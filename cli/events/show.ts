import {
  type EventBodies,
  type EventRecords,
  type OperationsClient,
  ProblemError,
} from '@payhooks/order-client';
import { openOperations } from '../../operator/operations.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { chosenMode } from '../mode.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { printBodies } from './bodies.ts';
import { printRecords } from './records.ts';
import { suggestedCommands } from './suggestions.ts';

interface ShowOptions extends CommonOptions {
  readonly body?: true;
  readonly bodySha256?: string;
  readonly sandbox?: true;
}

export async function showEvent(
  session: Session,
  id: string | undefined,
  options: ShowOptions,
): Promise<ExitCode> {
  const { terminal } = session;
  if (id === undefined && options.bodySha256 === undefined) {
    throw new CommandError('wrongUsage', 'Give the id of an event, or --body-sha256 for a body without one.');
  }
  if (id !== undefined && options.bodySha256 !== undefined && !options.body) {
    throw new CommandError('wrongUsage', 'With an id, --body-sha256 selects one of its bodies: add --body.');
  }
  const stack = await createTarget(session, options).stack();
  const operations = openOperations(stack);
  const mode = chosenMode(options);
  const details = await read(operations, id, { ...options, mode }).catch((error: unknown) => {
    throw error instanceof ProblemError && error.status === 404 ? notFound(id, options) : error;
  });
  if (options.json) {
    terminal.json(details);
    return exitCodes.done;
  }
  printRecords(terminal, details);
  if ('more' in details) printBodies(terminal, details);
  const commands = suggestedCommands(details, options);
  if (commands.length > 0) terminal.print('');
  for (const { meaning, command } of commands) {
    terminal.print(meaning);
    terminal.print(`  → ${nextCommand(stack, command)}`);
  }
  return exitCodes.done;
}

/** A body without an id is customer data at once: nothing else is known of it. */
async function read(
  operations: OperationsClient,
  id: string | undefined,
  { body, bodySha256, mode }: ShowOptions & { readonly mode: 'live' | 'sandbox' },
): Promise<EventRecords | EventBodies> {
  if (id === undefined) return operations.unrecognisedBody(`${bodySha256}`, { mode });
  if (body) return operations.bodies(id, { mode, body_sha256: bodySha256 });
  return operations.event(id, { mode });
}

function notFound(id: string | undefined, { sandbox }: ShowOptions): CommandError {
  const what = id === undefined ? 'body has this SHA-256' : `event has the id ${printable(id)}`;
  const hint = sandbox ? 'For a live one leave out --sandbox.' : 'For a sandbox one add --sandbox.';
  return new CommandError('failed', `No ${sandbox ? 'sandbox' : 'live'} ${what}. ${hint}`);
}
