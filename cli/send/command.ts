import { randomUUID } from 'node:crypto';
import { createSigningKey, type Mode, sign } from '../../lambdas/domain/signature.ts';
import { type EventBody, readEventBody } from '../../operator/event-body.ts';
import { bodyInputBytesMax, sendRepeatsMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import { readBody } from '../body-input.ts';
import {
  addClientCertificate,
  type ClientCertificateOptions,
  readClientCertificate,
} from '../client-certificate.ts';
import { type CommandSetup, examplesOf, expecting, httpUrl, yesOption } from '../options.ts';
import { printWaiting } from '../orders/print-order.ts';
import { environmentKey, signingKeyOf, stackKeys } from '../private-keys.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget, type Target } from '../target/target.ts';
import { type Followed, followOrder, summaryOf } from './follow.ts';
import { isAccepted, meaningOf, post, type WebhookResponse } from './post.ts';
import { sampleBody } from './sample.ts';

interface SendOptions extends CommonOptions, ClientCertificateOptions {
  readonly event: string;
  readonly order?: string;
  readonly transaction?: string;
  readonly amount: string;
  readonly currency: string;
  readonly sandbox?: true;
  readonly file?: string;
  readonly url?: string;
  readonly header?: string;
  readonly repeat: number;
  readonly follow?: true;
}

export function define({ command, action }: CommandSetup): void {
  command
    .option('--event <name>', 'the name of the sample event', eventName, 'transaction.paid')
    .option('--order <id>', 'its order (default: a new one)')
    .option('--transaction <id>', 'its transaction; for a refund, that of the payment (default: a new one)')
    .option('--amount <amount>', 'its amount', amount, '100.00')
    .option('--currency <code>', 'its currency', 'USD')
    .option('--sandbox', 'send a sandbox event, signed with the sandbox key')
    .option('--file <file>', 'send this file byte for byte instead of a sample; - is standard input')
    .option('--url <url>', "send to a URL other than the stack's output WebhookUrl", httpUrl)
    .option('--header <name>', "use a signature header other than the stack's")
    .option('--repeat <times>', 'post the same bytes this many times', repeats, 1)
    .option('--follow', 'wait until the order query shows the event');
  addClientCertificate(command)
    .addOption(yesOption)
    .addHelpText(
      'after',
      `
Signs with PAYHOOKS_PRIVATE_KEY if it is set, otherwise with the key of the stack. A stack in AWS records a
live event as real, and you cannot take it back, so the command asks first.
${examplesOf(
  'send --order order-1 --follow',
  'send --event transaction.refunded --order order-1 --amount 20.00 --transaction ID',
  'send --file event.json --url https://shop.example/webhooks/payments',
)}`,
    )
    .action(action(send));
}

const eventName = expecting('a name such as transaction.paid', (given) =>
  /^[^\s.]+(\.[^\s.]+)+$/.test(given) ? given : undefined,
);
const amount = expecting('a number such as 100.00', (given) =>
  /^\d{1,30}(\.\d{1,30})?$/.test(given) ? given : undefined,
);
const repeats = expecting(`a whole number from 1 to ${sendRepeatsMax}`, (given) =>
  /^[1-9]\d{0,8}$/.test(given) && Number(given) <= sendRepeatsMax ? Number(given) : undefined,
);

async function send(session: Session, options: SendOptions): Promise<ExitCode> {
  const { terminal } = session;
  const target = createTarget(session, options);
  const body = await bodyOf(session, options);
  const event = readEventBody(body);
  const mode: Mode = options.sandbox || event.sandbox === true ? 'sandbox' : 'live';
  const key = await keyOf(session, target, mode);
  const url = new URL(options.url ?? outputOf(await target.stack(), 'WebhookUrl'));
  const header = options.header ?? (await headerOf(target, options));
  const clientCertificate = await readClientCertificate(options);
  await confirmReal(session, target, { options, mode, event });
  const headers = { 'content-type': 'application/json', [header]: sign(createSigningKey(key), body) };
  const responses: WebhookResponse[] = [];
  for (let sent = 1; sent <= options.repeat; sent += 1) {
    const response = await post({ url, body, headers, clientCertificate });
    responses.push(response);
    if (!options.json) printStatus(session, response.status);
    if (!isAccepted(response.status)) break;
    if (options.repeat > 1) terminal.progress(`Sent ${sent} of ${options.repeat} …`);
  }
  const accepted = responses.every(({ status }) => isAccepted(status));
  if (!options.json) {
    terminal.print(`${printable(event.eventName ?? 'body')} of ${body.length} bytes, ${idsOf(event)}`);
  }
  const followed: Partial<Followed> =
    accepted && options.follow ? await followOrder(session, target, { event, body, mode }) : {};
  if (!options.json) await printFollowed(session, target, { mode, ...followed });
  if (options.json) {
    const { eventId = null, orderId = null } = event;
    terminal.json({
      url: url.href,
      event_id: eventId,
      order_id: orderId,
      bytes: body.length,
      responses,
      ...followed,
    });
  }
  return accepted && (followed.waiting ?? []).length === 0 ? exitCodes.done : exitCodes.failed;
}

async function printFollowed(
  { terminal }: Session,
  target: Target,
  { mode, order, waiting = [] }: Partial<Followed> & { readonly mode: Mode },
): Promise<void> {
  if (order !== undefined) terminal.print(summaryOf(order));
  if (waiting.length > 0) printWaiting(terminal, { stack: await target.stack(), mode }, waiting);
}

function bodyOf(session: Session, options: SendOptions): Promise<Buffer> | Buffer {
  if (options.file !== undefined) return readBody(session, options.file, bodyInputBytesMax);
  return sampleBody({ ...options, order: options.order ?? `payhooks-send-${randomUUID().slice(0, 8)}` });
}

async function keyOf(session: Session, target: Target, mode: Mode): Promise<string> {
  const own = await environmentKey(session);
  if (own !== undefined) {
    if (own.mode !== mode) {
      session.terminal.note(`The event is ${mode} and the key of the environment is ${own.mode}.`);
    }
    return own.text;
  }
  const key = signingKeyOf(await stackKeys(session, await target.stack()), mode);
  if (key !== undefined) return key.text;
  throw new CommandError('failed', `The key secret holds no accepted ${mode} key: payhooks keys list`);
}

async function headerOf(target: Target, { url }: SendOptions): Promise<string> {
  // With --url and PAYHOOKS_PRIVATE_KEY the command needs no stack.
  if (url !== undefined) return 'x-service-signature';
  return outputOf(await target.stack(), 'SignatureHeader');
}

async function confirmReal(
  session: Session,
  target: Target,
  { options, mode, event }: { readonly options: SendOptions; readonly mode: Mode; readonly event: EventBody },
): Promise<void> {
  if (options.url !== undefined || mode === 'sandbox') return;
  const stack = await target.stack();
  if (stack.localUrl !== undefined) return;
  const what = `${printable(event.eventName ?? 'this body')} of ${printable(event.orderId ?? 'no order')}`;
  await session.input.confirm(
    `Send ${what} to ${stack.name}? It is recorded as real; --sandbox is not.`,
    options,
  );
}

function printStatus({ terminal }: Session, status: number): void {
  const text = `${status} ${meaningOf(status)}`;
  terminal.print(terminal.style(isAccepted(status) ? 'green' : 'red', text));
}

const idsOf = ({ eventId, orderId }: EventBody): string =>
  `event ${printable(eventId ?? 'without an id')}, ` +
  `${orderId === undefined ? 'no order' : `order ${printable(orderId)}`}`;
