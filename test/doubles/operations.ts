import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import { createOperations } from '../../lambdas/operations/operations.ts';
import type { OperationsParts } from '../../lambdas/operations/parts.ts';
import type { EventRow } from '../../lambdas/ports/stores.ts';
import { memoryActStores, memoryScans } from './act-stores.ts';
import { meaningOf } from './fold.ts';
import { gatewayEvent } from './gateway-event.ts';
import { memoryActs } from './memory-acts.ts';
import { memoryJudgements } from './memory-judgements.ts';
import type { memoryStores } from './memory-stores.ts';
import { memoryWaiting } from './memory-waiting.ts';
import type { Operations } from './operations-server.ts';
import { recordTelemetry } from './telemetry.ts';

/** More than any request of a test reads. One that never ends would block even the time limit of its test. */
const readsMax = 10_000;

/** The operations API over tables in memory; no key has been used. */
export function operationsOver(
  stores: ReturnType<typeof memoryStores>,
  parts: Partial<OperationsParts> = {},
): HttpApi {
  const { reader, writer } = stores;
  const { events = { ...writer, ...reader, ...memoryActStores(stores).events }, ...others } = parts;
  let reads = 0;
  return createOperations({
    ...memoryScans(stores),
    events: {
      ...events,
      find: async (mode, eventId) => {
        reads += 1;
        if (reads > readsMax) throw new Error(`The operations have read events ${readsMax} times.`);
        return events.find(mode, eventId);
      },
    },
    transactions: memoryActStores(stores).transactions,
    orders: { ...writer, ...reader },
    acts: memoryActs(),
    judgements: memoryJudgements(stores),
    keyUses: { keyUses: async () => [] },
    waiting: memoryWaiting(stores),
    meaningOf,
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-21T12:00:00.000Z'),
    telemetry: recordTelemetry(),
    ...others,
  });
}

/** The same for a server of `startLocalStack` or `startOperations`; it knows only routes without parameters. */
export function operationsOf(stores: ReturnType<typeof memoryStores>): Operations {
  const api = operationsOver(stores);
  return async function respond({ route, body }) {
    const response = await api(gatewayEvent({ routeKey: route, body: JSON.stringify(body) }));
    return { status: response.statusCode ?? 0, body: JSON.parse(response.body ?? '') };
  };
}

/** Rows of `count` further bodies under the id of an event. */
export const variants = (event: EventRow, count: number): readonly EventRow[] =>
  Array.from({ length: count }, (_, n) => {
    return { ...event, record: `variant:${n}`, outcome: 'duplicate', bodySha256: String(n) };
  });
