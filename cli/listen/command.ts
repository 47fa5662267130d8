import { readFile, writeFile } from 'node:fs/promises';
import type { Order } from '@payhooks/order-client';
import { explainError } from '../../operator/explain-error.ts';
import { listenOrdersMax, listenPollMilliseconds } from '../../operator/limits.ts';
import { isLoopback } from '../../operator/loopback.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { openOrderQuery } from '../../operator/order-query.ts';
import { printable } from '../../operator/printable.ts';
import { chosenMode } from '../mode.ts';
import { type CommandSetup, examplesOf, httpUrl, isoTime } from '../options.ts';
import type { CommonOptions, Session } from '../session.ts';
import { takeStopSignals } from '../stop-signal.ts';
import { createTarget } from '../target/target.ts';
import { type Attempt, forward } from './forward.ts';
import { messageOf, type OrderMessage } from './message.ts';
import { signingSecret } from './secret.ts';

interface ListenOptions extends CommonOptions {
  readonly forwardTo: string;
  readonly sandbox?: true;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly secretFile?: string;
  readonly cursorFile?: string;
}

export function addListen({ program, action }: CommandSetup): void {
  program
    .command('listen')
    .description('Post changes of orders to an order system under development, signed, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'where to post each change', httpUrl)
    .option('--since <time>', 'begin with the changes since then (default: now)', isoTime)
    .option('--sandbox', 'changes of sandbox orders')
    .option('--secret-file <file>', 'the signing secret (default: PAYHOOKS_LISTEN_SECRET, or a new one)')
    .option('--cursor-file <file>', 'continue after the last run with this file, and keep the position in it')
    .addHelpText(
      'after',
      `
Each post is an OrderStatusChanged message of the order feed (docs/order-status-changed.schema.json) with the
headers webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks. It is repeated until it gets
2xx, six times in all. The command polls the order query, so it may merge changes that follow one another, and
of an order that it has not seen before, previous is null. It is for development: in production use the feed.
Needs execute-api:Invoke on the output OrderQueryInvokeArn.
${examplesOf(
  'listen --forward-to http://127.0.0.1:3000/orders',
  'listen --forward-to http://127.0.0.1:3000/orders --since 2026-11-22T00:00:00Z --stack payhooks-staging',
)}`,
    )
    .action(action(listen));
}

async function listen(session: Session, options: ListenOptions): Promise<ExitCode> {
  const { terminal, now, env, waits } = session;
  const client = openOrderQuery(await createTarget(session, options).stack());
  const url = new URL(options.forwardTo);
  const secret = await signingSecret(session, options.secretFile);
  const cursor = await readCursor(options.cursorFile);
  if (!isLoopback(url)) terminal.note(`${url.origin} is not on this machine; it receives the ids of orders.`);
  using stop = takeStopSignals();
  const { signal } = stop;
  const onAttempt = (message: OrderMessage, attempt: Attempt) =>
    terminal.print(options.json ? jsonLine(message, attempt) : lineOf(session, message, attempt));
  const seen = createSeen();
  const counts = { delivered: 0, givenUp: 0 };
  const forwarding = { url, secret, pausesMilliseconds: waits.listenPausesMilliseconds, signal, onAttempt };
  const changes = client.changes({
    ...(cursor === undefined ? { since: new Date(options.since ?? now()).toISOString() } : { cursor }),
    mode: chosenMode(options),
    pauseMilliseconds: listenPollMilliseconds,
    signal,
    onFault: (error) => terminal.note(explainError(error, env).message),
    onCursor: (next) => keepCursor(options.cursorFile, next),
  });
  terminal.note(`Forwarding to ${url.href}; Ctrl-C ends it.`);
  for await (const order of changes) {
    const message = messageOf(order, seen.replace(order));
    if (message === undefined) continue;
    if (await forward(forwarding, message)) counts.delivered += 1;
    else if (!signal.aborted) counts.givenUp += 1;
  }
  terminal.note(`Delivered ${counts.delivered}, given up ${counts.givenUp}.`);
  return stop.exitCode() ?? 0;
}

/** The latest states, of a bounded number of orders. */
function createSeen() {
  const orders = new Map<string, Order>();
  return {
    /** Returns the state before. */
    replace(order: Order): Order | undefined {
      const former = orders.get(order.order_id);
      orders.delete(order.order_id);
      orders.set(order.order_id, order);
      const [oldest = ''] = orders.keys();
      if (orders.size > listenOrdersMax) orders.delete(oldest);
      return former;
    },
  };
}

async function readCursor(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new CommandError('wrongUsage', `The file ${file} cannot be read.`, { cause });
    }
  }
  // A place that cannot be written shows before the first change is posted.
  await keepCursor(file, '');
  return undefined;
}

async function keepCursor(file: string | undefined, cursor: string): Promise<void> {
  if (file === undefined) return;
  await writeFile(file, `${cursor}\n`).catch((cause: unknown) => {
    throw new CommandError('wrongUsage', `The file ${file} cannot be written.`, { cause });
  });
}

function lineOf({ terminal }: Session, message: OrderMessage, attempt: Attempt): string {
  const { status, reason, milliseconds, retryMilliseconds } = attempt;
  const { order_id, sequence, previous, current } = message;
  const isDone = status !== undefined && status >= 200 && status < 300;
  const change = previous === null ? current.status : `${previous.status} → ${current.status}`;
  const next =
    retryMilliseconds === undefined ? ' given up' : ` next attempt in ${retryMilliseconds / 1_000} s`;
  const result = terminal.style(isDone ? 'green' : 'red', String(status ?? 'none'));
  const why = reason === undefined ? '' : ` ${printable(reason, 200)}`;
  const what = `${printable(order_id, 40)} ${change}, sequence ${sequence}`;
  return `${result} ${`${milliseconds} ms`.padEnd(7)} ${what}${isDone ? '' : `:${why}${next}`}`;
}

function jsonLine({ id, order_id, sequence }: OrderMessage, attempt: Attempt): string {
  const { number, status, reason, milliseconds, retryMilliseconds } = attempt;
  return JSON.stringify({
    ...{ id, order_id, sequence, attempt: number },
    status: status ?? null,
    reason: reason ?? null,
    milliseconds,
    retry_in_milliseconds: retryMilliseconds ?? null,
  });
}
