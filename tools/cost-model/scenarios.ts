import { createHash } from 'node:crypto';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { variables } from '../../lambdas/contract/environment.ts';
import { listOrdersDefault } from '../../lambdas/contract/limits.ts';
import { milliseconds } from './assumed.ts';
import { addUsages, type Invocation, usageOf } from './bill.ts';
import { type Pipeline, startPipeline } from './pipeline.ts';

const attemptsMax = 3;

type Scenario = (pipeline: Pipeline) => Promise<readonly Invocation[]>;
export type ScenarioName = keyof typeof scenarios;
export type Measurement = Awaited<ReturnType<typeof measureAll>>;

const paid = (orderId: string, seed: string): Uint8Array => bytesOf(paidEvent({ orderId, seed }));
const forge = async (pipeline: Pipeline, times: number, step?: number): Promise<Invocation[]> => {
  const invocations: Invocation[] = [];
  const forged = { signature: '0'.repeat(64), step };
  for (let number = 0; number < times; number += 1)
    invocations.push(await pipeline.webhook(paid('forged', 'forged'), forged));
  return invocations;
};

export const floodRequests = 4_000;
const largeBytes = 100_000;
/** Text that compresses as badly as base64, the same in every run. */
const noise = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 44) }, (_, n) =>
    createHash('sha256').update(`${n}`).digest('base64'),
  )
    .join('')
    .slice(0, bytes);

function largeEvent(): Uint8Array {
  const event = paidEvent({ orderId: 'order-1400', seed: 'large' });
  return bytesOf(Object.assign(event, { note: noise(largeBytes) }));
}

const ten = (orderId: (n: number) => string, seed: string): Uint8Array[] =>
  Array.from({ length: 10 }, (_, n) => paid(orderId(n), `${seed} ${n}`));

/** Another payment under the id of an event of `tenOrders`. */
function conflictingEvent(): Uint8Array {
  const { id } = paidEvent({ orderId: 'order-1105', seed: 'order-11 5' });
  return bytesOf({ ...paidEvent({ orderId: 'order-1105', seed: 'conflict' }), id });
}

/** Webhooks that arrive together and pass through the whole pipeline. */
const deliver =
  (...bodies: Uint8Array[]): Scenario =>
  async (pipeline) => {
    const verified: Invocation[] = [];
    for (const body of bodies) verified.push(await pipeline.webhook(body));
    return [...verified, await pipeline.consume(), ...(await pipeline.publish())];
  };

/** All that is counted, in this order; the list is read when there are more than 100 orders. */
const scenarios = {
  firstRequest: deliver(paid('first', 'first')),
  paid: deliver(paid('order-1001', 'measured')),
  duplicate: deliver(paid('order-1001', 'measured')),
  refund: deliver(bytesOf(refundedEvent({ orderId: 'order-1001', seed: 'measured' }))),
  unrecognised: deliver(Buffer.from('{"hello":"world"}')),
  forged: (pipeline) => forge(pipeline, 1),
  tenOrders: deliver(...ten((n) => `order-110${n}`, 'order-11')),
  // An empty order id names no order.
  unassigned: deliver(bytesOf(refundedEvent({ orderId: '', seed: 'late' }))),
  latePayment: deliver(paid('order-1200', 'late')),
  orderlessRefund: deliver(bytesOf(refundedEvent({ orderId: '', seed: 'order-11 0' }))),
  conflict: deliver(conflictingEvent()),
  order: async ({ query }) => [await query('GET /orders/{order_id}', { order_id: 'order-1100' }, {})],
  waiting: async ({ count }) => [await count()],
  hundredOrders: async (pipeline) => {
    for (let batch = 0; batch < 10; batch += 1)
      await deliver(...ten((n) => `order-2${batch}0${n}`, `order-2${batch}`))(pipeline);
    return [];
  },
  page: async ({ query }) => [await query('GET /orders', {}, { limit: `${listOrdersDefault}` })],
  emptyPage: async ({ query }) => [await query('GET /orders', {}, { updated_since: '2100-01-01T00:00:00Z' })],
  hot10: deliver(...ten(() => 'order-hot', 'hot 1')),
  large: deliver(largeEvent()),
  expiring: async (pipeline) => {
    pipeline.restart({ [variables.eventRetentionDays]: '30' });
    // The first event of an instance also stores the use of its key, and the next one five minutes later.
    await deliver(paid('order-1299', 'first of its instance'))(pipeline);
    return deliver(paid('order-1300', 'expiring'))(pipeline);
  },
  // As fast as one instance can be.
  flood: (pipeline) => forge(pipeline, floodRequests, milliseconds.verifier[0]),
  logged: async (pipeline) => {
    pipeline.restart({ [variables.logLevel]: 'info', [variables.eventRetentionDays]: '' });
    await deliver(paid('order-1298', 'first of its logs'))(pipeline);
    return deliver(paid('order-1301', 'logged'))(pipeline);
  },
} satisfies Record<string, Scenario>;

/** Runs every scenario, in some seconds; again when the machine was too busy. */
export async function measureAll() {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const measurement = await measureOnce();
    if (measurement !== undefined) return measurement;
  }
  throw new Error(
    `In each of ${attemptsMax} measurements a function called again what did not respond in time. ` +
      'Measure on an idle machine.',
  );
}

/** `undefined` when a function made a call again: what it counted then is not what AWS would bill. */
async function measureOnce() {
  const pipeline = await startPipeline();
  try {
    const stack = readStack(pipeline);
    const count = async (run: Scenario) => {
      const invocations = await run(pipeline);
      const usageIn = (some: readonly Invocation[]) =>
        addUsages(...some.map((one) => [usageOf(one, stack), 1] as const));
      const isFeed = ({ stage }: Invocation): boolean => stage === 'order-feed';
      return {
        usage: usageIn(invocations.filter((one) => !isFeed(one))),
        /** What follows in the order feed. */
        feed: usageIn(invocations.filter(isFeed)),
      };
    };
    const counted: Partial<Record<ScenarioName, Awaited<ReturnType<typeof count>>>> = {};
    for (const [name, run] of Object.entries(scenarios)) {
      counted[name as ScenarioName] = await count(run);
      if (pipeline.repeatedCalls.length > 0) return undefined;
    }
    return { stack, counted: counted as Required<typeof counted> };
  } catch (error) {
    if (pipeline.repeatedCalls.length > 0) return undefined;
    throw error;
  } finally {
    await pipeline.stop();
  }
}

const byLength = (one: string, other: string): number => one.length - other.length;

interface Resource {
  readonly Type: string;
  readonly Properties?: {
    readonly AccessLogSettings?: { readonly Format: string };
    readonly Metrics?: readonly { readonly MetricStat?: object }[];
  };
}

/** What a template has that is billed by the month or limits the rate of webhooks. */
function readStack({ template, model }: Pipeline) {
  const resources = Object.values((template as { Resources: Record<string, Resource> }).Resources);
  const ofType = (type: string) =>
    resources.flatMap(({ Type, Properties = {} }) => (Type === type ? [Properties] : []));
  const alarms = ofType('AWS::CloudWatch::Alarm');
  const metricsOf = (some: typeof alarms): number =>
    some.flatMap(({ Metrics }) => Metrics?.filter((one) => one.MetricStat) ?? [{}]).length;
  const apis = ofType('AWS::ApiGatewayV2::Stage');
  return {
    alarms: alarms.length,
    // An alarm over an expression lists metrics and the expression; AWS bills each metric.
    alarmMetrics: metricsOf(alarms),
    secrets: ofType('AWS::SecretsManager::Secret').length,
    // AWS does not bill Lambda's polls of a stream.
    polledQueues: model.mappings.length,
    memoryMegabytes: memoryOf(model),
    // That of the readers is longer: it shows who read what.
    accessLogFormat: apis.map((api) => api.AccessLogSettings?.Format ?? '').toSorted(byLength)[0] ?? '',
  };
}

export const memoryOf = ({ functions }: Pipeline['model']): Record<string, number> =>
  Object.fromEntries(
    functions.map((one) => [one.environment[variables.serviceName] ?? '', one.memoryMegabytes]),
  );
