import { randomUUID } from 'node:crypto';
import { bytesOf, unknownEvent } from '@payhooks/payment-service/simulator';
import { createSigningKey, type Mode, sign } from '../../lambdas/domain/signature.ts';
import { readEventBody } from '../../operator/event-body.ts';
import { modeOf, readEntries, rowOf } from '../../operator/keys.ts';
import { bodyInputBytesMax, sendRepeatsMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import {
  addClientCertificate,
  type ClientCertificateOptions,
  readClientCertificate,
} from '../client-certificate.ts';
import { readBody } from '../input.ts';
import { type CommandSetup, examplesOf, expecting, httpUrl, wholeNumber, yesOption } from '../options.ts';
import { printWaiting } from '../orders/print-order.ts';
import { readPrivateKey } from '../private-keys.ts';
import { type CommonOptions, privateKeyVariable, type Session, show, variable } from '../session.ts';
import { followOrder, summaryOf } from './follow.ts';
import { isAccepted, meaningOf, post, type WebhookResponse } from './post.ts';

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
    .option('--repeat <times>', 'post the same bytes this many times', wholeNumber(1, sendRepeatsMax), 1)
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

async function send(session: Session, options: SendOptions): Promise<ExitCode> {
  const { terminal } = session;
  const body = await bodyOf(session, options);
  const event = readEventBody(body);
  const { eventId, orderId, eventName } = event;
  const mode: Mode = options.sandbox || event.sandbox === true ? 'sandbox' : 'live';
  const key = await keyOf(session, options, mode);
  const url = new URL(options.url ?? outputOf(await session.stack(options), 'WebhookUrl'));
  const header = options.header ?? (await headerOf(session, options));
  const clientCertificate = await readClientCertificate(options);
  const what = `${printable(eventName ?? 'this body')} of ${printable(orderId ?? 'no order')}`;
  if (options.url === undefined && mode === 'live') await confirmReal(session, options, what);
  const signature = sign(createSigningKey(key), body);
  const headers = { 'content-type': 'application/json', [header]: signature };
  const delivery = { url, body, headers, clientCertificate, secrets: [key, signature] };
  const responses: WebhookResponse[] = [];
  const isAcknowledged = () => responses.every(({ status }) => isAccepted(status));
  while (responses.length < options.repeat && isAcknowledged()) {
    responses.push(await post(delivery));
    if (options.repeat > 1) terminal.progress(`Sent ${responses.length} of ${options.repeat} …`);
  }
  const isFollowed = options.follow && isAcknowledged();
  const followed = isFollowed ? await followOrder(session, options, { event, body, mode }) : undefined;
  const waiting = followed?.waiting ?? [];
  const stack = waiting.length === 0 ? undefined : await session.stack(options);
  return show(session, options, {
    document: {
      ...{ url: url.href, event_id: eventId ?? null, order_id: orderId ?? null, bytes: body.length },
      ...{ responses, ...followed },
    },
    print() {
      for (const { status } of responses) {
        const color = isAccepted(status) ? 'green' : 'red';
        terminal.print(terminal.style(color, `${status} ${meaningOf(status)}`));
      }
      const order = orderId === undefined ? 'no order' : `order ${printable(orderId)}`;
      const ids = `event ${printable(eventId ?? 'without an id')}, ${order}`;
      terminal.print(`${printable(eventName ?? 'body')} of ${body.length} bytes, ${ids}`);
      if (followed?.order !== undefined) terminal.print(summaryOf(followed.order));
      if (stack !== undefined) printWaiting(terminal, { stack, mode }, waiting);
    },
    exitCode: isAcknowledged() && waiting.length === 0 ? exitCodes.done : exitCodes.failed,
  });
}

function bodyOf(session: Session, options: SendOptions): Promise<Buffer> | Buffer {
  const { file, event, transaction, amount, currency } = options;
  if (file !== undefined) return readBody(session, file, bodyInputBytesMax);
  const orderId = options.order ?? `payhooks-send-${randomUUID().slice(0, 8)}`;
  const sample = { orderId, transactionId: transaction, amount, currency, sandbox: options.sandbox === true };
  // It makes events of every name.
  return Buffer.from(bytesOf(unknownEvent({ eventName: event, ...sample })));
}

/** The key of the environment, or of the stack's accepted ones a current one before one that ends. */
async function keyOf(session: Session, options: SendOptions, mode: Mode): Promise<string> {
  if (variable(session, privateKeyVariable) !== undefined) {
    const own = await readPrivateKey(session, { prompt: '' });
    if (modeOf(own) !== mode) {
      session.terminal.note(`The event is ${mode} and the key of the environment is ${modeOf(own)}.`);
    }
    return own;
  }
  const entries = await readEntries(await session.stack(options));
  const keys = entries.map((entry) => ({ ...rowOf(entry, session.now()), text: entry.key }));
  const usable = keys.filter((key) => key.mode === mode && key.state !== 'expired');
  const key = usable.find(({ state }) => state === 'current') ?? usable[0];
  if (key !== undefined) return key.text;
  throw new CommandError('failed', `The key secret holds no accepted ${mode} key: payhooks keys list`);
}

async function headerOf(session: Session, options: SendOptions): Promise<string> {
  // With --url and PAYHOOKS_PRIVATE_KEY the command needs no stack.
  if (options.url !== undefined) return 'x-service-signature';
  return outputOf(await session.stack(options), 'SignatureHeader');
}

async function confirmReal(session: Session, options: SendOptions, what: string): Promise<void> {
  const { name, localUrl } = await session.stack(options);
  if (localUrl !== undefined) return;
  await session.input.confirm(`Send ${what} to ${name}? It is recorded as real; --sandbox is not.`, options);
}
