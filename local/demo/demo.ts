import { AssertionError } from 'node:assert';
import { once } from 'node:events';
import { createPaymentServiceClient, privateKeyAuthentication } from '@payhooks/payment-service';
import { shortId } from '../../operator/printable.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import type { LiveLog } from '../live-log/live-log.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { isOnPage } from '../scenarios/scenario.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { createStage, type Deliver, postSigned, randomSuffix, type StageParts } from '../scenarios/stage.ts';

export interface DemoOptions {
  readonly pipeline: Pipeline;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
  /** Shows when the consumer has handled an event. */
  readonly liveLog: Pick<LiveLog, 'subscribe'>;
  /** How long to wait for what an event should lead to. */
  readonly patienceMilliseconds?: number;
}

/**
 * Registers the webhook, plays every scenario that breaks nothing, and writes what became of each. Ends early
 * when stopped. Rejects when the webhook cannot be registered.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { write, signal } = options;
  const run = randomSuffix();
  write(`\nDemo: signed events from the payment service (the order ids of this run end in -${run}).\n`);
  write(`\n${heading(1, 'The webhook is registered')}`);
  const registered = await registerWebhooks(options.pipeline, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return [];
  });
  if (signal.aborted) return;
  write(registered.map((line) => `    ${line}\n`).join(''));
  const played = scenarios.filter(isOnPage).filter(({ page }) => page.group !== 'faults');
  for (const [index, scenario] of played.entries()) {
    write(`\n${heading(index + 2, scenario.title)}`);
    const { step, end } = createSteps(options);
    const stage = stageOf(options, { orderId: `order-${1_001 + index}-${run}`, step });
    await scenario.begin(stage).catch((error: unknown) => {
      if (error instanceof AssertionError) step('seen', error.message);
      else if (!signal.aborted) throw error;
    });
    if (signal.aborted) return;
    end();
  }
  write(closing(options));
}

const heading = (number: number, title: string): string => `${String(number).padStart(2)}. ${title}\n`;

/** Those that the demo sends. */
const events = [
  ...(['transaction.paid', 'transaction.refunded', 'transaction.failed', 'transaction.disputed'] as const),
];

/**
 * Registers the webhook for live events through the API, and for sandbox events as the account's owner does
 * in the dashboard: the API takes no sandbox key (API document 5.2). Resolves with lines that show what was
 * done, and the command that does the same.
 */
async function registerWebhooks(
  { baseUrl, simulator, keys }: Pipeline,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const authentication = privateKeyAuthentication(keys.live);
  const client = createPaymentServiceClient({ baseUrl: simulator.baseUrl, authentication });
  const url = `${baseUrl}/webhooks/payments`;
  const live = await client.createWebhook({ url, enabled_events: events }, { signal });
  const sandbox = simulator.registerWebhook({ url, enabledEvents: events, isLiveMode: false });
  return [
    `POST ${simulator.baseUrl}/api/v2/webhooks → webhook ${shortId(live.id)} for live events`,
    `in the service's dashboard → webhook ${shortId(sandbox.id)} for sandbox events`,
    `npx payhooks webhooks register --events ${events.join(',')} --local ${baseUrl}`,
  ];
}

function stageOf(options: DemoOptions, parts: Pick<StageParts, 'orderId' | 'step'>) {
  const { pipeline, liveLog, signal, patienceMilliseconds = 5_000 } = options;
  return createStage({
    ...{ pipeline, liveLog, signal, patienceMilliseconds, ...parts },
    deliver: fromPaymentService(options),
    fail: () => Promise.reject(new Error('The demo breaks nothing.')),
  });
}

/** The payment service sends its events, so that it has them in its history; the rest is posted directly. */
function fromPaymentService({ pipeline, signal }: DemoOptions): Deliver {
  const post = postSigned(pipeline);
  const stopped = once(signal, 'abort').then(() => []);
  return async function deliver(notification) {
    const { event, signer } = notification;
    if (event === undefined || signer !== (event.sandbox ? 'sandbox' : 'live')) return post(notification);
    const records = await Promise.race([pipeline.simulator.emit(event), stopped]);
    const sent = records.find(({ delivery }) => delivery.url.startsWith(pipeline.baseUrl));
    return sent?.delivery ?? post(notification);
  };
}

/** Writes a line for each webhook, and at the end where the order query shows the result. */
function createSteps({ pipeline, write }: DemoOptions) {
  let line: string[] = [];
  let path: string | undefined;
  function writeLine(): void {
    if (line.length > 0) write(`    ${line.join(' → ').replaceAll('\n', '\n    ')}\n`);
    line = [];
  }
  const step: StageParts['step'] = (kind, text, link) => {
    if (kind === 'sent') writeLine();
    if (kind !== 'recorded') line.push(text);
    if (kind !== 'seen' || !link?.id) return;
    path = `/${link.page}s/${link.id}${link.mode === 'sandbox' ? '?mode=sandbox' : ''}`;
  };
  return {
    step,
    end(): void {
      writeLine();
      if (path !== undefined) write(`    curl -s ${shellQuoted(pipeline.baseUrl + path)}\n`);
    },
  };
}

function closing({ pipeline: { baseUrl, simulator } }: DemoOptions): string {
  const feedUrl = shellQuoted(`${baseUrl}/feed`);
  return [
    '\nFollow the order feed, from now on or from its beginning:',
    `    curl -N ${feedUrl}\n    curl -N -H 'Last-Event-ID: 0' ${feedUrl}`,
    '\nSend an event of your own, twice, so that the second one is a duplicate:',
    `    npx payhooks send --order my-order-1 --amount 12.50 --repeat 2 --follow --local ${baseUrl}`,
    '\nOr have the payment service send one:',
    `    curl -s ${simulator.baseUrl}/simulator/events -d '{"order_id":"my-order-2"}'`,
    '\nSome of these events need a person, so their alarms fire now. What to do about each:',
    `    npx payhooks status --local ${baseUrl}`,
    `\nOpen the console: ${baseUrl}/\n\n`,
  ].join('\n');
}
