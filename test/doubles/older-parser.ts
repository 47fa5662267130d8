import { createHash } from 'node:crypto';
import type { EventRow } from '../../lambdas/ports/stores.ts';
import { setUpConsumer } from './consumer.ts';
import { type EventFields, eventBody } from './event-body.ts';
import { fold } from './fold.ts';
import type { FaultInjector } from './memory-stores.ts';

export const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');

export interface ReadEvent {
  /** What the body says. */
  readonly real: EventFields;
  /** What an older parser read in it, where that differs. */
  readonly as?: Partial<EventFields>;
}

/** Stores in memory, as a consumer with an older parser has filled them. */
export async function readByOlderParser(...events: readonly ReadEvent[]) {
  const faults: { inject: FaultInjector } = { inject: () => {} };
  const consumer = setUpConsumer({ inject: (...call) => faults.inject(...call) });
  const rowOf = (id: string): EventRow | undefined => consumer.events.get(`live:event:${id} event`);
  for (const { real, as } of events) {
    await consumer.consume({ body: eventBody({ ...real, ...as }) });
    const row = rowOf(real.id);
    if (as === undefined || row === undefined) continue;
    const body = eventBody(real);
    consumer.events.set(`${row.key} event`, { ...row, body, bodySha256: sha256(body) });
  }
  return {
    ...consumer,
    faults,
    rowOf,
    bodyOf: (id: string) => rowOf(id)?.body,
    statusOf: (orderId: string) => fold(consumer.factsOf(orderId)).status,
    amountsOf: (orderId: string) => fold(consumer.factsOf(orderId)).transactions.map(({ amount }) => amount),
  };
}
