import { type Order, type OrderEvents, OrderNotFoundError } from '@payhooks/order-client';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { openOrderQuery } from '../order-query.ts';
import { printable } from '../printable.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import type { Terminal } from '../terminal.ts';

interface OrderOptions extends CommonOptions {
  readonly sandbox?: true;
}

export function addOrder({ program, action }: CommandSetup): void {
  program
    .command('order')
    .description('Show what happened to an order, and its events')
    .argument('<id>', "the merchant's id of the order")
    .option('--sandbox', 'show the sandbox order with this id')
    .addHelpText(
      'after',
      `
Needs execute-api:Invoke on the output OrderQueryInvokeArn. It shows no customer data. --json prints the
response of GET /orders/{order_id}.
${examplesOf('order order-1001', 'order order-1001 --sandbox', 'order order-1001 --json')}`,
    )
    .action(action(showOrder));
}

async function showOrder(session: Session, id: string, options: OrderOptions): Promise<ExitCode> {
  const { terminal } = session;
  const mode = options.sandbox ? 'sandbox' : 'live';
  const query = openOrderQuery(await createTarget(session, options).stack());
  const [order, details] = await Promise.all([
    query.order(id, { mode }),
    options.json ? undefined : query.orderEvents(id, { mode }),
  ]).catch((error: unknown) => {
    if (!(error instanceof OrderNotFoundError)) throw error;
    const hint = options.sandbox
      ? 'For a live order leave out --sandbox.'
      : 'For a sandbox order add --sandbox.';
    throw new CommandError('failed', `No ${mode} event names the order ${printable(id)}. ${hint}`);
  });
  if (details === undefined) terminal.json(order);
  else printOrder(terminal, order, details.events);
  return exitCodes.done;
}

function printOrder(terminal: Terminal, order: Order, events: OrderEvents['events']): void {
  const { order_id, mode, status, attention, transactions, updated_at, sequence } = order;
  const sandbox = mode === 'sandbox' ? ' in the sandbox' : '';
  terminal.print(`${printable(order_id)} is ${terminal.style('bold', status)}${sandbox}`);
  for (const reason of attention) terminal.print(terminal.style('yellow', `attention: ${reason}`));
  terminal.print(`sequence ${sequence}, changed ${updated_at}`);
  terminal.print('');
  terminal.table(
    ['TRANSACTION', 'STATUS', 'AMOUNT', 'CURRENCY', 'CREATED'],
    transactions.map(({ id, amount, currency, created_at, ...transaction }) =>
      [id, transaction.status, amount, currency, created_at].map((cell) => cell ?? '-'),
    ),
  );
  terminal.print('');
  terminal.table(
    ['RECEIVED', 'EVENT', 'ID', 'OUTCOME'],
    events.map(({ received_at, event_name, id, outcome }) =>
      [received_at, event_name, id, outcome].map((cell) => cell ?? '-'),
    ),
  );
}
