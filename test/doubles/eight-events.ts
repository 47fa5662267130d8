import { type EventFields, eventBody } from './event-body.ts';
import { fact } from './facts.ts';
import type { SentBody } from './sqs-event.ts';

/** Two payments of the order A, and what concerns them, with and without the order's id. */
const events: readonly EventFields[] = [
  { id: 'p1', order: 'A' },
  { id: 'r1', action: 'refunded', amount: '30.00' },
  { id: 'r2', action: 'refunded', amount: '20.00', order: 'A' },
  { id: 'f1', action: 'failed', order: 'A', transaction: 'U' },
  { id: 'p2', order: 'A', transaction: 'U', amount: '50.00' },
  { id: 'd1', action: 'disputed', transaction: 'U' },
  { id: 'n1', action: 'updated', order: 'A' },
  { id: 'r3', action: 'refunded', amount: '5.00', transaction: 'U' },
];

export const eightMessages: readonly SentBody[] = events.map((fields, n) => ({
  body: eventBody(fields),
  messageId: `m${n}`,
}));

/** What the order holds in the end. */
export const eightFacts: readonly string[] = [
  fact('p1', 'paid'),
  fact('r1', 'refunded', { amount: '30.00' }),
  fact('r2', 'refunded', { amount: '20.00' }),
  fact('f1', 'failed', { transactionId: 'U' }),
  fact('p2', 'paid', { transactionId: 'U', amount: '50.00' }),
  fact('d1', 'disputed', { transactionId: 'U' }),
  fact('n1', 'updated'),
  fact('r3', 'refunded', { transactionId: 'U', amount: '5.00' }),
].sort();
