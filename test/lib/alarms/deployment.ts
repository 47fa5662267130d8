import { onTestFinished } from 'vitest';
import { createSigningKey, sign } from '../../../lambdas/domain/signature.ts';
import { type GatewayRequest, gatewayEvent } from '../../doubles/gateway-event.ts';
import { startTables } from '../../doubles/local-tables.ts';
import { streamRecord, type WrittenOrder } from '../../doubles/stream-event.ts';
import type { Synthesis } from '../synthesis.ts';
import { watchAlarms } from './alarm-states.ts';
import { createAwsMetrics } from './aws-metrics.ts';
import { createEventQueue } from './event-queue.ts';
import { createInvoke } from './invocations.ts';
import { createOrderStream } from './order-stream.ts';
import { createStages, type Faults } from './stages.ts';
import { createThrottle } from './throttle.ts';

const tickMilliseconds = 5_000;
const minuteMilliseconds = 60_000;
const minutesPerDay = 24 * 60;
const minutesPerAudit = 15;
const minutesPerHeartbeat = 5;
const scheduled = { source: 'aws.scheduler', detail: {} };

interface State {
  audit: () => Promise<unknown>;
  certificateDays: number;
  /** Every minute on AWS, which would only make most tests slow. */
  minutesPerCount: number;
  /** Heartbeats and all counts but one only leave their metrics: the stages make a simulation of hours slow. */
  assumesSchedules: boolean;
}

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/**
 * The stages of a synthesised stack over an embedded database, with what AWS does around them: it counts, keeps
 * messages and repeats. Time is simulated. Everything ends with the test.
 */
export async function startDeployment(stack: Synthesis) {
  let time = Date.parse('2026-11-21T00:00:00.000Z');
  const now = (): number => time;
  const faults: Faults = {};
  /** The constructs whose function Lambda throttles, and what no longer runs. */
  const throttled = new Set<string>();
  const stopped = new Set<string>();
  const alarms = watchAlarms(stack, now);
  const deletedLogs = new Set<string>();
  const aws = createAwsMetrics(stack, alarms.onLine, deletedLogs);
  const lines: string[] = [];
  const onLine = (line: string): void => {
    lines.push(line);
    alarms.onLine(line);
  };
  const invoke = createInvoke({ aws, onLine, throttled, deletedLogs });
  const tables = await startTables();
  onTestFinished(() => tables.close());
  const { client } = tables;
  const queue = createEventQueue(stack, {
    now,
    aws,
    consume: (event) => invoke('Consumer', () => stages.consumer(event)),
  });
  const stages = createStages({
    ...{ stack, client, now, faults, queue },
    deliver: async (_, { headers, body }) =>
      deliver({ routeKey: 'POST /webhooks/payments', headers, body: Buffer.from(body).toString() }),
    async onBus(entries) {
      for (const { source, change } of entries.filter((entry) => entry.detailType === 'Heartbeat'))
        await invoke('Heartbeat', () => stages.heartbeat({ source, detail: change }));
    },
    onWrite: (before, { order, facts, updatedAt, sequence }) =>
      stream.add(
        streamRecord({
          orderId: order.id,
          mode: order.mode,
          ...(before && { before: before.facts, updatedBefore: before.updatedAt }),
          after: facts,
          updatedAt,
          committedAt: now() / 1_000,
          sequence,
          sequenceNumber: `${order.id} ${sequence}`,
        }),
      ),
  });
  const stream = createOrderStream(stack, {
    now,
    aws,
    publish: (event) => invoke('OrderFeed', () => stages.feed(event)),
  });
  const admits = createThrottle(stack, 'Verifier', now);
  const state: State = {
    audit: async () => undefined,
    certificateDays: 90,
    minutesPerCount: 10,
    assumesSchedules: false,
  };

  /** The status of an API whose function runs. */
  async function respond(
    construct: string,
    run: () => Promise<{ statusCode?: number | undefined }>,
  ): Promise<number> {
    const invocation = await invoke(construct, run);
    const { outcome } = invocation;
    const status =
      outcome === 'done' ? (invocation.result.statusCode ?? 200) : outcome === 'failed' ? 500 : 503;
    aws.responded(construct, status);
    return status;
  }

  async function deliver(request: GatewayRequest): Promise<number> {
    if (admits()) return respond('Verifier', () => stages.verifier(gatewayEvent(request)));
    aws.responded('Verifier', 429);
    return 429;
  }

  let counted: readonly string[] = [];
  const count = async (): Promise<void> => {
    if (state.assumesSchedules && counted.length > 0) {
      aws.invoked('WaitingCount', { failed: false, lines: counted.length });
      return counted.forEach(alarms.onLine);
    }
    const first = lines.length;
    await invoke('WaitingCount', stages.waitingCount);
    counted = lines.slice(first);
  };

  /** What starts at the beginning of a minute, and what AWS reports at its end. */
  const startSchedules = async (minute: number): Promise<void> => {
    const isTurn = (name: string, interval: number): boolean => !stopped.has(name) && minute % interval === 0;
    if (isTurn('Heartbeat', minutesPerHeartbeat))
      await (state.assumesSchedules
        ? aws.assumeHeartbeat(faults.bus === undefined)
        : invoke('Heartbeat', () => stages.heartbeat(scheduled)));
    if (isTurn('WaitingCount', state.minutesPerCount)) await count();
    if (isTurn('WebhookAudit', minutesPerAudit)) await invoke('WebhookAudit', state.audit);
    if (isTurn('Certificate', minutesPerDay / 2)) aws.certificate(state.certificateDays);
    if (!stopped.has('OrderFeed')) await stream.deliver();
  };
  const report = (): void => {
    queue.report();
    stream.report();
    alarms.firing();
  };

  return {
    ...{ aws, faults, throttled, stopped, deletedLogs, state, stages, invoke, now, client, queue },
    /** How often the stages have logged a message. */
    logged: (message: string): number =>
      lines.filter((line) => line.includes(`"message":"${message}"`)).length,
    firing: alarms.firing,
    fired: alarms.fired,
    /** Resolves with the status of a webhook; without a signature it is signed with the key. */
    async post(
      body: Uint8Array,
      { key = 'pri_live', signature = sign(createSigningKey(key), body) } = {},
    ): Promise<number> {
      const headers = { 'x-service-signature': signature };
      return deliver({ routeKey: 'POST /webhooks/payments', headers, body: Buffer.from(body).toString() });
    },
    /** The verifier gets something that is no request. */
    postNothing: (): Promise<number> => respond('Verifier', () => stages.verifier({} as never)),
    get(orderId: string): Promise<number> {
      const request = { routeKey: 'GET /orders/{order_id}', pathParameters: { order_id: orderId } };
      return respond('OrderQuery', () => stages.query(gatewayEvent(request)));
    },
    /** An operator looks at what waits. */
    countWaiting: (): Promise<number> =>
      respond('Operations', () =>
        stages.operations(gatewayEvent({ routeKey: 'GET /operations/waiting/counts' })),
      ),
    /** A write to an order, as its stream shows it. */
    changeOrder: (written: WrittenOrder): void => stream.add(streamRecord(written)),
    refuseFeedFailures: stream.refuseFailures,
    /** Time passes: mappings and schedules run. */
    async pass(minutes: number, eachMinute: (minute: number) => Promise<unknown> = async () => undefined) {
      for (let minute = 0; minute < minutes; minute += 1) {
        await startSchedules(minute);
        await eachMinute(minute);
        const end = time + minuteMilliseconds;
        for (; time < end; time += tickMilliseconds) if (!stopped.has('Consumer')) await queue.deliver();
        report();
      }
    },
  };
}
