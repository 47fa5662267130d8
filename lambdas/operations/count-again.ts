import type { Route } from '../consumer/routes.ts';
import { parseFact } from '../domain/fact.ts';
import type { ActUnderWay } from './act.ts';
import { correctionsAmong, correctionsOf } from './corrections.ts';

/** An earlier replay may have corrected the fact in this order: what an operator admits counts again. */
export async function countAgain(act: ActUnderWay, orderId: string, text: string): Promise<readonly Route[]> {
  const { mode } = act;
  const fact = parseFact(text);
  const facts = (await act.orders.get({ mode, id: orderId }))?.facts ?? [];
  if (fact.kind !== 'event' || !facts.includes(text)) return [];
  const { eventId, transactionId } = fact;
  const waiting = transactionId === null ? [] : (await act.transactions.get(mode, transactionId)).facts;
  return correctionsOf([...correctionsAmong(facts), text], {
    eventId,
    expected: new Set([text]),
    related: [waiting],
  }).map((correction) => ({ kind: 'order', fact: correction, orderId }));
}
