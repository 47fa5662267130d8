import { createTables } from '../../lambdas/aws/tables.ts';
import { variables } from '../../lambdas/contract/environment.ts';
import { mergeFactsMax } from '../../lambdas/contract/limits.ts';
import { meanings } from '../../lambdas/domain/assumptions.ts';
import { eventFact } from '../../lambdas/domain/fact.ts';
import { eventRow } from '../../test/doubles/event-rows.ts';
import { table } from '../cost-model/documents.ts';
import { gatewayEvent } from '../cost-model/production.ts';
import { median } from './cpu-time.ts';
import { type Run, runInstance } from './instance.ts';
import type { Stack } from './stack.ts';

const [listedOrders, eventsOfOrder, calls] = [50, 1_000, 20];
/** By AWS's documentation: the memory of one processor, which a function has while it starts. */
const processorMegabytes = 1_769;
const memories = [256, 512, 1_024];

const get = (routeKey: string, pathParameters: object, queryStringParameters: object): object =>
  gatewayEvent({ routeKey, headers: {}, pathParameters, queryStringParameters });

const requests: Readonly<Record<string, object>> = {
  '`GET /orders`, nothing new': get('GET /orders', {}, { updated_since: '2100-01-01T00:00:00Z' }),
  [`\`GET /orders\`, ${listedOrders} orders`]: get('GET /orders', {}, { limit: `${listedOrders}` }),
  '`GET /orders/{order_id}`, an event': get('GET /orders/{order_id}', { order_id: 'order-1' }, {}),
  [`the same, ${eventsOfOrder.toLocaleString('en')} events`]: get(
    'GET /orders/{order_id}',
    { order_id: 'large' },
    {},
  ),
};

/** Milliseconds of CPU time: medians of new processes, each with several calls of one kind. */
export async function measureQueries(stack: Stack, rounds: number) {
  for (let n = 0; n < listedOrders; n += 1) await store(stack, `order-${n}`, 1);
  await store(stack, 'large', eventsOfOrder);
  const { file, environment } = stack.functions.payhooks.query;
  // Patient, because the proxy that counts reads every row for each call: a repeated call would count twice.
  const query = { file, environment: { ...environment, [variables.isLocal]: 'true' } };
  const rows = [];
  for (const [title, request] of Object.entries(requests)) {
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round += 1)
      runs.push(await runInstance(query, Array(calls).fill(request)));
    const load = median(runs.map(({ loadMilliseconds }) => loadMilliseconds));
    const all = runs.map((run) => run.calls.map(({ milliseconds }) => milliseconds));
    const first = median(all.flatMap((ofRun) => ofRun.slice(0, 1)));
    const warm = median(all.flatMap((ofRun) => ofRun.slice(calls / 2)));
    rows.push({ title, load, first, warm, response: runs[0]?.calls[0]?.response });
  }
  return rows;
}

/** An order with events of every meaning, ten in a transaction, as consumers write it. */
async function store({ functions, dynamoDb }: Stack, orderId: string, events: number): Promise<void> {
  const { [variables.eventsTableName]: eventsTable = '', [variables.ordersTableName]: orders = '' } =
    functions.payhooks.query.environment;
  const { store: tables } = createTables(dynamoDb, { events: eventsTable, orders });
  const rows = Array.from({ length: events }, (_, n) => {
    const receivedAt = new Date(Date.UTC(2026, 10, 21) + n * 1_000).toISOString();
    const reading = {
      orderId,
      transactionId: `${orderId}-${Math.floor(n / 10)}`,
      meaning: meanings[n % meanings.length] ?? null,
    };
    return eventRow(`${orderId}-event-${n}`, { receivedAt, reading });
  });
  for (const row of rows) await tables.put(row);
  const facts = rows.flatMap(({ eventId = '', reading }) => (reading ? eventFact(eventId, reading) : []));
  for (let n = 0; n < events; n += mergeFactsMax) {
    const order = { mode: 'live', id: orderId } as const;
    await tables.merge({ order, facts: facts.slice(n, n + mergeFactsMax), now: () => new Date() });
  }
}

export const queryTable = (rows: Awaited<ReturnType<typeof measureQueries>>): string =>
  table(
    `order query | load | first call | warm call | cold start at ${memories.join(' MB | ')} MB`,
    rows.map(({ title, load, first, warm }) => [
      ...[title, ...[load, first, warm].map((milliseconds) => `${milliseconds.toFixed(1)} ms`)],
      ...memories.map((memory) => `${Math.round(load + (first * processorMegabytes) / memory)} ms`),
    ]),
  );
