import { createHash } from 'node:crypto';
import { createTables } from '../../lambdas/aws/tables.ts';
import { createClassify } from '../../lambdas/consumer/classify.ts';
import { createOperations } from '../../lambdas/operations/routes.ts';
import { createCallClock } from './call-clock.ts';
import { consumerOver } from './consumer.ts';
import { type EventFields, eventBody } from './event-body.ts';
import { meaningOf } from './fold.ts';
import { gatewayEvent } from './gateway-event.ts';
import { openTables, startTables } from './local-tables.ts';
import { sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

type Path = readonly [name: string, routeKey: string, fields: object];

const event = (path: string): Path => [path, path, { pathParameters: { event_id: 'conflict' } }];
const act = (name: string, what: string, fields: object): Path => [
  `${name} ${what}`,
  `POST /operations/${name}`,
  { body: JSON.stringify({ reason: 'measured', ...fields }) },
];
const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
const other = eventBody({ id: 'conflict', order: 'B', transaction: 'U', amount: '7.00' });

export const reads: readonly Path[] = [
  ['GET /operations/waiting', 'GET /operations/waiting', {}],
  ['GET /operations/waiting/counts', 'GET /operations/waiting/counts', {}],
  ['GET /operations/keys', 'GET /operations/keys', {}],
  event('GET /operations/events/{event_id}'),
  event('GET /operations/bodies/events/{event_id}'),
];

/** Each on one event, or on one order with a few: longer work ends after a time and returns a cursor. */
export const acts: readonly Path[] = [
  act('admit', 'a payment and the refund that waits for it', { event_id: 'paid', order_id: 'A' }),
  act('admit', 'a conflict', { event_id: 'conflict', body_sha256: sha256(other) }),
  act('dismiss', 'a refund', { event_id: 'alone' }),
  act('replay', 'an event with two bodies', { event_id: 'conflict', publish: true }),
  act('replay', 'an order', { order_id: 'A' }),
  act('erase', 'an event with two bodies', { event_id: 'conflict' }),
  act('erase', 'an order', { order_id: 'A' }),
];

/** The calls that follow one another in each request to the operations API, over tables. */
export async function operationsRounds(): Promise<ReadonlyMap<string, number>> {
  const tables = await startTables();
  const consume = consumerOver(openTables(tables.client).store);
  const events: EventFields[] = [
    { id: 'paid' },
    { id: 'refund', action: 'refunded', amount: '40.00' },
    { id: 'alone', action: 'refunded', transaction: 'V' },
    { id: 'conflict', order: 'B', transaction: 'U' },
  ];
  for (const body of [...events.map(eventBody), other]) await consume(sqsEvent({ body }));
  const clock = createCallClock();
  const api = createOperations({
    ...createTables(clock.client(tables.client), { events: 'events', orders: 'orders' }),
    classify: createClassify(meaningOf),
    meaningOf,
    meaningsId: 'built-in',
    eventRetentionDays: 30,
    now: () => new Date('2026-11-22T10:00:00.000Z'),
    telemetry: recordTelemetry(),
  });
  const rounds = new Map<string, number>();
  for (const [name, routeKey, fields] of [...reads, ...acts]) {
    const before = clock.rounds();
    const { statusCode, body } = await api(gatewayEvent({ routeKey, ...fields }));
    if (statusCode !== 200) throw new Error(`${name} responded ${statusCode}: ${body}`);
    rounds.set(name, clock.rounds() - before);
  }
  await tables.close();
  return rounds;
}
