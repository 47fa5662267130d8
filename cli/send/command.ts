import { randomUUID } from 'node:crypto';
import { createSigningKey, type Mode, sign } from '../../lambdas/domain/signature.ts';
import { readBody } from '../body-input.ts';
import {
  addClientCertificate,
  type ClientCertificateOptions,
  readClientCertificate,
} from '../client-certificate.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { type EventBody, readEventBody } from '../event-body.ts';
import { bodyInputBytesMax, sendRepeatsMax } from '../limits.ts';
import { addCommonOptions, addConfirmation, examplesOf, type Group, readCount } from '../options.ts';
import { environmentKey, signingKeyOf, stackKeys } from '../private-keys.ts';
import type { CommonOptions, Session } from '../session.ts';
import { outputOf } from '../target/stack.ts';
import { createTarget, type Target } from '../target/target.ts';
import { followOrder, summaryOf } from './follow.ts';
import { isAccepted, meaningOf, post } from './post.ts';
import { sampleBody } from './sample.ts';

export interface SendOptions extends CommonOptions, ClientCertificateOptions {
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

export function addSend({ program, session, end }: Group): void {
  addClientCertificate(addConfirmation(addCommonOptions(program.command('send'))))
    .description('signs a sample event, or a file, and posts it as the payment service does')
    .option('--event <name>', 'the name of the sample event', 'transaction.paid')
    .option('--order <id>', 'its order (default: a new one)')
    .option('--transaction <id>', 'its transaction, as that of the payment of a refund (default: a new one)')
    .option('--amount <amount>', 'its amount', '100.00')
    .option('--currency <code>', 'its currency', 'USD')
    .option('--sandbox', 'a sandbox event, signed with the sandbox key')
    .option('--file <path>', 'these bytes in place of a sample, exactly as they are; - is standard input')
    .option('--url <url>', "another endpoint than the stack's output WebhookUrl")
    .option('--header <name>', "another signature header than the stack's")
    .option('--repeat <times>', 'posts the same bytes so often', readCount(sendRepeatsMax), 1)
    .option('--follow', 'waits until the order query tells the event')
    .addHelpText(
      'after',
      `
Signed with PAYHOOKS_PRIVATE_KEY when it is set, otherwise with the key of the stack. What is sent to a
deployed stack under a live key is recorded as real and cannot be taken back: it asks first.
${examplesOf(
  'send --order order-1 --follow',
  'send --event transaction.refunded --order order-1 --amount 20.00 --transaction ID',
  'send --file event.json --url https://shop.example/webhooks/payments',
)}`,
    )
    .action(async (options) => end(await send(session, options)));
}

async function send(session: Session, options: SendOptions): Promise<ExitCode> {
  const { terminal } = session;
  const target = createTarget(session, options);
  const body = await bodyOf(session, options);
  const about = readEventBody(body);
  const mode: Mode = options.sandbox || about.sandbox === true ? 'sandbox' : 'live';
  const key = await keyOf(session, target, mode);
  const url = readUrl(options.url ?? outputOf(await target.stack(), 'WebhookUrl'));
  const header = options.header ?? (await headerOf(target, options));
  const clientCertificate = await readClientCertificate(options);
  await confirmReal(session, target, { options, mode, about });
  const headers = { 'content-type': 'application/json', [header]: sign(createSigningKey(key), body) };
  const answers: { status: number; body: string }[] = [];
  for (let sent = 1; sent <= options.repeat; sent += 1) {
    const answer = await post({ url, body, headers, clientCertificate });
    answers.push(answer);
    if (!options.json) tellAnswer(session, answer);
    if (!isAccepted(answer.status)) break;
    if (options.repeat > 1) terminal.progress(`Sent ${sent} of ${options.repeat} …`);
  }
  const accepted = answers.every(({ status }) => isAccepted(status));
  if (!options.json) terminal.print(`${about.eventName ?? 'body'} of ${body.length} bytes, ${idsOf(about)}`);
  const order = accepted && options.follow ? await followOrder(session, target, { about, mode }) : undefined;
  if (order !== undefined && !options.json) terminal.print(summaryOf(order));
  if (options.json) {
    const { eventId = null, orderId = null } = about;
    terminal.json({
      url: url.href,
      event_id: eventId,
      order_id: orderId,
      bytes: body.length,
      answers,
      ...(order && { order }),
    });
  }
  return accepted ? exitCodes.done : exitCodes.failed;
}

function bodyOf(session: Session, options: SendOptions): Promise<Buffer> | Buffer {
  if (options.file !== undefined) return readBody(session, options.file, bodyInputBytesMax);
  return sampleBody({ ...options, order: options.order ?? `payhooks-send-${randomUUID().slice(0, 8)}` });
}

async function keyOf(session: Session, target: Target, mode: Mode): Promise<string> {
  const own = await environmentKey(session);
  if (own !== undefined) {
    if (own.mode !== mode) {
      session.terminal.tell(`The event is ${mode} and the key of the environment is ${own.mode}.`);
    }
    return own.text;
  }
  const key = signingKeyOf(await stackKeys(session, target), mode);
  if (key !== undefined) return key.text;
  throw new CommandError(
    'failed',
    `The key secret holds no ${mode} key that is accepted: payhooks keys list`,
  );
}

async function headerOf(target: Target, { url }: SendOptions): Promise<string> {
  // An endpoint of one's own, with a key of the environment, needs no stack to be there.
  if (url !== undefined) return 'x-service-signature';
  return outputOf(await target.stack(), 'SignatureHeader');
}

async function confirmReal(
  session: Session,
  target: Target,
  { options, mode, about }: { readonly options: SendOptions; readonly mode: Mode; readonly about: EventBody },
): Promise<void> {
  if (options.url !== undefined || mode === 'sandbox') return;
  const stack = await target.stack();
  if (stack.localUrl !== undefined) return;
  const what = `${about.eventName ?? 'this body'} of ${about.orderId ?? 'no order'}`;
  await session.input.confirm(
    `Send ${what} to ${stack.name}? It is recorded as real; --sandbox is not.`,
    options,
  );
}

function tellAnswer({ terminal }: Session, { status }: { readonly status: number }): void {
  const text = `${status} ${meaningOf(status)}`;
  terminal.print(terminal.style(isAccepted(status) ? 'green' : 'red', text));
}

const idsOf = ({ eventId, orderId }: EventBody): string =>
  `event ${eventId ?? 'without an id'}, ${orderId === undefined ? 'no order' : `order ${orderId}`}`;

function readUrl(given: string): URL {
  const url = URL.parse(given);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError('wrongUsage', 'The URL to send to is no http or https address.');
}
