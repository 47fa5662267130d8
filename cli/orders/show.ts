import { type Order, type OrderEvents, OrderNotFoundError } from '@payhooks/order-client';
import { eventText } from '../../lambdas/domain/money-text.ts';
import { openOrderQuery } from '../../operator/apis.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { chosenMode } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { printActs, printReasons, printState, printWaiting, toTheSecond } from './print-order.ts';

export interface ShowOptions extends CommonOptions {
  readonly sandbox?: true;
}

export async function showOrder(session: Session, id: string, options: ShowOptions): Promise<ExitCode> {
  const { terminal } = session;
  const mode = chosenMode(options);
  const stack = await session.stack(options);
  const query = openOrderQuery(stack);
  try {
    const [order, details] = await Promise.all([query.order(id, { mode }), query.orderEvents(id, { mode })]);
    return show(session, options, {
      document: { ...order, ...details },
      print() {
        printState(terminal, order);
        printReasons(terminal, details.reasons);
        printHistory(session, stack, details);
        // What waits is judged first.
        if (details.waiting.length === 0) printResolutions(session, stack, order);
      },
    });
  } catch (error) {
    if (!(error instanceof OrderNotFoundError)) throw error;
    const { waiting, acts, problem } = error;
    if (waiting.length === 0 && acts.length === 0) {
      const other =
        mode === 'live' ? 'For a sandbox order add --sandbox.' : 'For a live order leave out --sandbox.';
      throw new CommandError('failed', `${printable(problem.detail, 400)} ${other}`);
    }
    // An order without a state: no event counts in it.
    return show(session, options, {
      document: problem,
      print() {
        terminal.print(printable(problem.detail, 400));
        printWaiting(terminal, { stack, mode }, waiting);
        printActs(terminal, acts);
      },
      exitCode: exitCodes.failed,
    });
  }
}

function printHistory({ terminal }: Session, stack: Stack, details: OrderEvents): void {
  const { order_id, events, waiting, acts, mode } = details;
  terminal.print('');
  if (events.length === 0) terminal.print('no event counts in this order');
  else {
    terminal.table(
      ['RECEIVED', 'EVENT', 'ID', 'OUTCOME'],
      events.flatMap(({ others, ...event }) => [
        [toTheSecond(event.received_at), eventText(event), event.id, event.outcome ?? '-'],
        ...(others ?? []).map((other) => [
          toTheSecond(other.received_at),
          `  other body: ${eventText({ ...event, ...other })}`,
          event.id,
          other.outcome ?? '-',
        ]),
      ]),
    );
  }
  if (waiting.length > 0) terminal.print('');
  printWaiting(terminal, { stack, mode }, waiting);
  if (details.waiting_complete === false) {
    const command = `payhooks events list --waiting --order ${shellQuoted(order_id)}`;
    terminal.note('More events wait than were searched for this order. To search all of them:');
    terminal.note(`→ ${nextCommand(stack, command, mode)}`);
  }
  printActs(terminal, acts);
}

/** A full order cannot be resolved: it takes no further fact. */
function printResolutions({ terminal }: Session, stack: Stack, { order_id, mode, attention }: Order): void {
  const names = attention.filter((name) => name !== 'too_many_events');
  if (names.length === 0) return;
  terminal.note('\nOnce the money is settled, and the order above is as it should be:');
  for (const name of names) {
    const command = `payhooks orders resolve ${shellQuoted(order_id)} --attention ${name}`;
    terminal.note(`→ ${nextCommand(stack, command, mode)}`);
  }
}
