import { createHash } from 'node:crypto';
import { refoldedFact } from '../domain/fact.ts';
import { judgedDigest } from '../domain/judged-digest.ts';
import type { Mode } from '../domain/signature.ts';
import { orderSnapshot } from './order-changes.ts';
import type { ReplayedEvent } from './replay-event.ts';
import type { ReplayParts } from './replay-parts.ts';

/**
 * Makes the order feed publish the orders of events again, such as after a new meaning of an event name. Once
 * for each state of an order, so that a repetition publishes nothing.
 */
export async function publishAgain(
  { orders, meaningOf, now }: ReplayParts,
  mode: Mode,
  results: readonly ReplayedEvent[],
): Promise<void> {
  const ids = new Set(
    results.flatMap((result) => (result.kind === 'left' ? [] : result.facts.map(({ orderId }) => orderId))),
  );
  for (const id of ids) {
    const order = { mode, id };
    const facts = (await orders.get(order))?.facts ?? [];
    if (facts.length === 0) continue;
    const { status, attention, transactions } = orderSnapshot(facts, meaningOf);
    const state = JSON.stringify([judgedDigest(facts), status, attention, transactions]);
    const published = createHash('sha256').update(state).digest('hex').slice(0, 32);
    await orders.merge({ order, facts: [refoldedFact(published)], now });
  }
}
