import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { variables } from '../../lambdas/contract/environment.ts';
import {
  listOrdersDefault,
  listOrdersMax,
  webhookAuditIntervalMinutes,
} from '../../lambdas/contract/limits.ts';
import type { Bench, Invocation } from './bench.ts';
import { type Billing, type Usage, usageOf } from './usage.ts';

/** What one thing that happens costs in billed units. */
export type Scenarios = Awaited<ReturnType<typeof measureScenarios>>;
export type ScenarioName = keyof Scenarios['usages'];

const seed = 'measured';
/** Of the list; without a limit it is the third. */
const pageLimits = [1, 10, listOrdersDefault, listOrdersMax];

interface Page {
  readonly limit: number;
  readonly invocation: Invocation;
}

/** Lets each thing happen once, and counts. The verifier is warm: its first request is a scenario of its own. */
export async function measureScenarios(bench: Bench) {
  const billing = billingOf(bench);
  const first = await bench.webhook(bytesOf(paidEvent({ orderId: 'first', seed: 'first' })));
  await bench.consume();
  await bench.publish();

  const through = async (...bodies: Uint8Array[]): Promise<Invocation[]> => {
    const verified: Invocation[] = [];
    for (const body of bodies) verified.push(await bench.webhook(body));
    const invocations = [...verified, await bench.consume(), await bench.publish()];
    return invocations.filter((one): one is Invocation => one !== undefined);
  };
  const paid = bytesOf(paidEvent({ orderId: 'order-1001', seed }));
  const onePaid = await through(paid);
  const duplicate = await through(paid);
  const refund = await through(bytesOf(refundedEvent({ orderId: 'order-1001', seed })));
  const unrecognised = await through(Buffer.from(JSON.stringify({ hello: 'world' })));
  const forged = await bench.webhook(paid, '0'.repeat(64));
  const tenPaid = await through(...paidEvents(10, 'order-11'));
  const order = await bench.query('GET /orders/{order_id}', { path: { order_id: 'order-1100' } });
  for (let batch = 0; batch < 10; batch += 1) await through(...paidEvents(10, `order-2${batch}`));
  const pages: Page[] = [];
  for (const limit of pageLimits) {
    pages.push({ limit, invocation: await bench.query('GET /orders', { query: { limit: String(limit) } }) });
  }
  const later = { updated_since: '2100-01-01T00:00:00Z' };
  const empty = await bench.query('GET /orders', { query: later });
  const audit = await bench.audit();

  const usage = (...invocations: Invocation[]): Usage => usageOf(invocations, billing);
  return {
    billing,
    /** A page of so many orders, each with one event. */
    pages: pages.map(({ limit, invocation }) => ({ limit, ...readsOf(invocation) })),
    emptyPage: readsOf(empty),
    oneOrder: readsOf(order),
    tenPaidCalls: callsOf(tenPaid),
    /** Bytes of the rows that one paid event leaves. */
    stored: storedBytes(onePaid),
    bodyBytes: paid.length,
    usages: {
      paid: usage(...onePaid),
      publication: usage(...onePaid.filter(({ stage }) => stage === 'order-feed')),
      tenPaid: usage(...tenPaid),
      duplicate: usage(...duplicate),
      refund: usage(...refund),
      unrecognised: usage(...unrecognised),
      forged: usage(forged),
      firstRequest: usage(first),
      order: usage(order),
      page: usage(
        ...pages.flatMap(({ limit, invocation }) => (limit === listOrdersDefault ? [invocation] : [])),
      ),
      emptyPage: usage(empty),
      auditHour: usage(...Array.from({ length: 60 / webhookAuditIntervalMinutes }, () => audit)),
    },
  };
}

function paidEvents(count: number, prefix: string): Uint8Array[] {
  return Array.from({ length: count }, (_, n) =>
    bytesOf(paidEvent({ orderId: `${prefix}0${n}`, seed: `${prefix} ${n}` })),
  );
}

function readsOf({ database }: Invocation): { readonly calls: number; readonly readUnits: number } {
  return { calls: database.length, readUnits: database.reduce((sum, call) => sum + call.readUnits, 0) };
}

/** How often each operation of AWS was called. */
export function callsOf(invocations: readonly Invocation[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { database, calls } of invocations) {
    const names = [
      ...database.map(({ operation }) => operation),
      ...calls.map(({ action }) => action.split(':')[1]),
    ];
    for (const name of names) counts[name ?? ''] = (counts[name ?? ''] ?? 0) + 1;
  }
  return counts;
}

function storedBytes(invocations: readonly Invocation[]) {
  const written = invocations.flatMap(({ database }) => database);
  const event = written.find(({ operation }) => operation === 'PutItem');
  const order = written.find(({ operation }) => operation === 'UpdateItem');
  return { event: event?.bytes ?? 0, order: order?.bytes ?? 0, indexEntry: order?.indexBytes ?? 0 };
}

function billingOf({ model, template }: Bench): Billing {
  const { Resources } = template as { Resources: Readonly<Record<string, TemplateResource>> };
  const formats = Object.values(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::ApiGatewayV2::Stage' ? [Properties?.AccessLogSettings?.Format ?? ''] : [],
  );
  const [accessLogFormat = '', ...others] = new Set(formats);
  if (others.length > 0) throw new Error('The APIs of the template log in different formats.');
  const tables = model.functions.flatMap(({ environment }) => environment[variables.eventsTableName] ?? []);
  return {
    eventsTable: tables[0] ?? '',
    memoryMegabytes: Object.fromEntries(
      model.functions.map(({ environment, memoryMegabytes }) => [
        environment[variables.serviceName] ?? '',
        memoryMegabytes,
      ]),
    ),
    accessLogFormat,
  };
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: { readonly AccessLogSettings?: { readonly Format: string } };
}
