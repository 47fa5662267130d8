import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import type { fitsOrderItem } from '../../lambdas/contract/order-item.ts';
import { fullFact } from '../../lambdas/domain/fact.ts';
import { consumerOver } from './consumer.ts';
import { createMemoryTables } from './memory-store.ts';
import { sqsEvent, sqsRecord } from './sqs-event.ts';

/**
 * Counts how many calls follow one another, and not how many there are: calls that begin at one time are one round. So
 * the rounds of a path are the calls that its time budget has to hold one after the other.
 */
function createCallClock() {
  let rounds = 0;
  let next: Promise<void> | undefined;
  const startRound = () =>
    nextTurn().then(() => {
      rounds += 1;
      next = undefined;
    });
  return {
    /** Awaited before a call. The calls in memory that follow one another in a round take no turn of their own. */
    gate: async () => {
      next ??= startRound();
      await next;
    },
    rounds: () => rounds,
  };
}

const numbers = Array.from({ length: 2 }, (_, n) => n);
const paymentOf = (n: number, orderId = `order-${n}`) =>
  bytesOf(paidEvent({ orderId, eventId: `evt-${n}`, transactionId: `txn-${n}`, seed: `${n}` }));
/** Without an order id. */
const refundOf = (n: number) =>
  bytesOf(refundedEvent({ orderId: '', eventId: `refund-${n}`, transactionId: `txn-${n}`, seed: `${n}` }));

const refunds = numbers.map(refundOf);
const payments = numbers.map((n) => paymentOf(n));
const conflicts = numbers.map((n) => paymentOf(n, `other-${n}`));
/** One event: others of the same order would only repeat the repair that it needs, after a short pause. */
const paymentOfFullOrder = paymentOf(10, 'full');
const refundOfFullOrder = refundOf(10);

/** Batches that meet one another; the last one meets a full order, conflicts and repetitions at one time. */
const batches: Readonly<Record<string, readonly Uint8Array[]>> = {
  'refunds without an order id': refunds,
  'their payments': payments,
  'the same payments again': payments,
  'other payments under the same event ids': conflicts,
  'a payment of a full order': [paymentOfFullOrder],
  'all of these, and a refund of the full order': [...refunds, ...payments, ...conflicts, refundOfFullOrder],
};

/** The rounds of each batch, with bodies that expire and a record that must be postponed. */
export async function consumerRounds(): Promise<ReadonlyMap<string, number>> {
  const clock = createCallClock();
  const fits: typeof fitsOrderItem = ({ id }, facts) => id !== 'full' || facts.includes(fullFact);
  const { store } = createMemoryTables(fits).open({ gate: clock.gate });
  const consume = consumerOver(store, {
    eventRetentionDays: 30,
    fits,
    now: () => new Date(),
    postpone: clock.gate,
  });
  const malformed = { ...sqsRecord({ body: Buffer.from('{}') }), messageAttributes: {} };
  const rounds = new Map<string, number>();
  for (const [name, bodies] of Object.entries(batches)) {
    const before = clock.rounds();
    await consume({ Records: [malformed, ...sqsEvent(...bodies.map((body) => ({ body }))).Records] });
    rounds.set(name, clock.rounds() - before);
  }
  return rounds;
}
