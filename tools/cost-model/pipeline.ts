import { createRequire } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { createSqsEvent, type Emulators } from '@payhooks/cdk-local/emulators';
import { variables } from '../../lambdas/contract/environment.ts';
import { bundleFileOf } from '../../lib/lean-bundle.ts';
import type { Stage } from './assumed.ts';
import type { Invocation } from './bill.ts';
import { gatewayEvent, startProduction, takeMessages, webhookEvent } from './production.ts';

export type Pipeline = Awaited<ReturnType<typeof startPipeline>>;
type Change = Parameters<NonNullable<ReturnType<Emulators['streamAt']>>['read']>[0][number];

/** Between two invocations; all of them stay within the time that the verifier caches its keys. */
const stepMilliseconds = 100;
/** As long as Lambda's; every line has its root. */
const traceId = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=557abcec3ee5a047;Sampled=0;Lineage=1:2:0';
/** The clock is held and the caller delivers each batch, so that every run counts the same. */
export async function startPipeline() {
  // Before the functions start, which keep `Date.now`: log lines hold the milliseconds between two stages.
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-21T10:00:00.000Z') });
  const { template, model, emulators, counter, functions, queueUrl, stop } = await startProduction();
  const handlers = new Map<string, (event: unknown, context: object) => Promise<unknown>>();
  const require = createRequire(import.meta.url);
  /** The functions run in this process and change its environment. Starts them, anew if they run. */
  const start = (changed: Readonly<Record<string, string>> = {}): void => {
    for (const { stage, environment: own, codeDirectory } of functions) {
      Object.assign(process.env, own, changed, { _X_AMZN_TRACE_ID: traceId });
      const file = join(codeDirectory, bundleFileOf(stage));
      delete require.cache[file];
      handlers.set(stage, require(file).handler);
    }
  };
  start();
  const changes = emulators.streamAt(model.streamMappings[0]?.streamArn ?? '');
  if (!changes) throw new Error('The template has no table with a stream.');
  const waiting: Change[] = [];
  let isLogged = false;
  changes.follow((change) => waiting.push(change));

  async function invoke(
    stage: Stage,
    event: { readonly Records?: readonly unknown[] },
    step = stepMilliseconds,
  ): Promise<Invocation> {
    mock.timers.tick(step);
    const callsBefore = counter.calls.length;
    let logBytes = 0;
    const countBytes = (chunk: string): boolean => {
      logBytes += Buffer.byteLength(chunk);
      return true;
    };
    const outputs = [process.stdout, process.stderr].map((one) => mock.method(one, 'write', countBytes));
    try {
      await handlers.get(stage)?.(structuredClone(event), {});
    } finally {
      for (const output of outputs) output.mock.restore();
    }
    const calls = counter.calls.slice(callsBefore);
    return { stage, records: event.Records?.length ?? 1, calls, logBytes, isLogged };
  }
  return {
    template,
    model,
    repeatedCalls: counter.repeated,
    webhook: (
      body: Uint8Array,
      forged: { readonly signature?: string; readonly step?: number | undefined } = {},
    ) => invoke('verifier', webhookEvent(body, forged.signature), forged.step),
    query: (routeKey: string, pathParameters: object, queryStringParameters: object) =>
      invoke('order-query', gatewayEvent({ routeKey, headers: {}, pathParameters, queryStringParameters })),
    /** Delivers the messages of the queue to the consumer, as one batch. */
    async consume() {
      const messages = await takeMessages(emulators.clients.sqs, queueUrl);
      const messageBytes = messages.reduce((sum, { Body = '' }) => sum + Body.length, 0);
      const event = createSqsEvent(messages, 'arn:aws:sqs:::events');
      return { ...(await invoke('consumer', event)), messageBytes };
    },
    count: () => invoke('waiting-count', {}),
    /** Starts every function anew, with other variables. */
    restart(changed: Readonly<Record<string, string>>) {
      isLogged = changed[variables.logLevel] === 'info';
      start(changed);
    },
    /** Delivers the changes of orders to the order feed, as one batch; nothing where there are none. */
    async publish() {
      const Records = await changes.read(waiting.splice(0));
      return Records.length === 0 ? [] : [await invoke('order-feed', { Records })];
    },
    async stop() {
      mock.timers.reset();
      await stop();
    },
  };
}
