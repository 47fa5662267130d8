import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '@payhooks/payment-service/simulator';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import type { LiveLog } from '../live-log/live-log.ts';
import { describeResponse, randomSuffix } from '../webhooks/description.ts';
import { watchHandling } from '../webhooks/handling.ts';
import { curlExample } from './curl-example.ts';
import { deliver } from './delivery.ts';
import { registerWebhooks } from './registration.ts';
import { describeResult } from './result.ts';
import { demoSteps, type Notification } from './steps.ts';

export interface DemoOptions {
  /** Of the pipeline, the order query and the console, such as `http://127.0.0.1:4800`. */
  readonly baseUrl: string;
  readonly paymentService: Pick<Simulator, 'baseUrl' | 'registerWebhook' | 'emit'>;
  readonly privateKey: string;
  readonly sandboxKey: string;
  readonly signatureHeader: string;
  /** Whether the private key was generated for this run and may be printed. */
  readonly showKey: boolean;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
  /** Shows when the consumer has handled an event. */
  readonly liveLog: Pick<LiveLog, 'subscribe'>;
  /** How long to wait for an event to be handled. */
  readonly waitMilliseconds?: number;
}

const defaultWaitMilliseconds = 5_000;

/**
 * Registers the webhook, sends fifteen steps of signed events, and writes what became of each. Ends early
 * when stopped. Rejects when the webhook cannot be registered.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { baseUrl, write, signal } = options;
  const webhookUrl = `${baseUrl}/webhooks/payments`;
  const run = randomSuffix();
  write(`\nDemo: signed events from the payment service (the order ids of this run end in -${run}).\n`);
  write(`\n${heading(1, 'The webhook is registered')}`);
  const registered = await registerWebhooks({ ...options, webhookUrl }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return [];
  });
  if (signal.aborted) return;
  write(registered.map((line) => `    ${line}\n`).join(''));
  const stopped = once(signal, 'abort');
  for (const [index, { title, path, notifications }] of demoSteps(run).entries()) {
    write(`\n${heading(index + 2, title)}`);
    for (const notification of notifications) {
      const result = await send(notification, path, { ...options, webhookUrl, stopped });
      if (signal.aborted) return;
      write(`    ${notification.description} → ${result}\n`);
    }
    if (path !== null) write(`    curl -s ${shellQuoted(baseUrl + path)}\n`);
  }
  write(closing(options, webhookUrl));
}

const heading = (number: number, title: string): string => `${String(number).padStart(2)}. ${title}\n`;

function closing(options: DemoOptions, webhookUrl: string): string {
  const { baseUrl, paymentService, signatureHeader, showKey, privateKey } = options;
  const feedUrl = shellQuoted(`${baseUrl}/feed`);
  return [
    '\nFollow the order feed, from now on or from its beginning:',
    `    curl -N ${feedUrl}\n    curl -N -H 'Last-Event-ID: 0' ${feedUrl}`,
    '\nSend an event of your own (run it twice, and the second one is a duplicate):',
    curlExample({ webhookUrl, signatureHeader, ...(showKey && { privateKey }) }),
    '\nOr have the payment service send one:',
    `    curl -s ${paymentService.baseUrl}/simulator/events -d '{"order_id":"my-order-2"}'`,
    '\nSome of these events need a person, so their alarms fire now. What to do about each:',
    `    npx payhooks status --local ${baseUrl}`,
    `\nOpen the console: ${baseUrl}/\n\n`,
  ].join('\n');
}

interface SendOptions extends DemoOptions {
  readonly webhookUrl: string;
  readonly stopped: Promise<unknown>;
}

/** Sends a notification; resolves with the status of the response and the result. */
async function send(notification: Notification, path: string | null, options: SendOptions): Promise<string> {
  const { waitMilliseconds = defaultWaitMilliseconds } = options;
  using watch = watchHandling(notification.body, options.liveLog);
  const delivery = await deliver(notification, options);
  const status = delivery ? describeResponse(delivery) : 'not sent: no webhook is registered for it';
  if (delivery?.state !== 'delivered') return `${status} → ${await describeResult(options, path)}`;
  const { signal } = options;
  const timeout = pause(waitMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  const entry = await Promise.race([watch.handled, timeout]);
  if (entry === undefined)
    return `${status} → accepted, but not handled within ${waitMilliseconds / 1_000} s`;
  return `${status} → ${await describeResult(options, path, entry.fields.outcome ?? 'handled')}`;
}
