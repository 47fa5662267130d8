import { describe, expect, it } from 'vitest';
import { correctionFact } from '../lambdas/domain/fact.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { setUpConsumer } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import type { SentBody } from './doubles/sqs-event.ts';

type Consumer = ReturnType<typeof setUpConsumer>;
/** A delivery, or a change of what is stored. */
type Step = SentBody | ((consumer: Consumer) => unknown);
type Case = [what: string, before: readonly Step[], sent: SentBody, calls: string];

const body = (fields: EventFields): SentBody => ({ body: eventBody(fields), messageId: fields.id });
const payment = body({ id: 'p', order: 'A' });
const variant = body({ id: 'p', order: 'A', attempt: 2 });
const refund = body({ id: 'r', action: 'refunded' });
const otherRefund = body({ id: 'r', action: 'refunded', amount: '1.00' });
const decision = { by: 'ann', at: '2026-11-22T05:00:00.000Z', reason: 'checked' };

const change =
  (id: string, changed: (row: EventRow) => EventRow): Step =>
  ({ events }) => {
    const at = `live:event:${id} event`;
    events.set(at, changed(events.get(at) as EventRow));
  };
const dismiss = (id: string): Step =>
  change(id, ({ waiting: _, ...row }) => ({ ...row, judged: { verdict: 'dismissed', ...decision } }));
const recordAs020 = (id: string): Step =>
  change(id, ({ waiting: _, fact: __, ...row }) => ({ ...row, outcome: 'recorded' }));
const erase = (id: string): Step =>
  change(id, ({ body: _, ...row }) => ({ ...row, fact: fact(id, 'paid'), erased: decision }));
const correct: Step = ({ writer }) => {
  const correction = correctionFact(fact('r', 'refunded'), 1);
  return writer.join({ mode: 'live', transactionId: 'T', add: { correction } });
};
const fill: Step = ({ setRoom }) => setRoom({ orderBytesMax: 0 });

/** Every call is one that AWS bills, but the use of the key is stored every five minutes only. */
async function callsOf(eventRetentionDays: number | undefined, [, before, sent]: Case): Promise<string> {
  const calls: string[] = [];
  const consumer = setUpConsumer({
    inject: (moment, operation) => moment === 'before' && operation !== 'putKeyUse' && calls.push(operation),
    parts: { eventRetentionDays },
  });
  for (const step of before)
    await (typeof step === 'function' ? step(consumer) : consumer.consume(step).then(expectDone));
  calls.length = 0;
  expectDone(await consumer.consume(sent));
  return calls.join(' ');
}

const expectDone = (failed: string[]): void => expect(failed).toEqual([]);

describe('without eventRetentionDays, the calls for', () => {
  it.each<Case>([
    ['a payment', [], payment, 'put join merge'],
    ['a payment that is delivered again', [payment], payment, 'put join merge'],
    ['a refund of a known payment', [payment], refund, 'put join merge settle'],
    ['such a refund that is delivered again', [payment, refund], refund, 'put join merge'],
    ['a payment whose refund waits', [refund], payment, 'put join merge settle'],
    ['a payment whose transaction has a correction', [correct], payment, 'put join merge'],
    ['a dismissed refund', [refund, dismiss('r')], refund, 'put join'],
    ['a refund that 0.2.0 recorded', [refund, recordAs020('r')], refund, 'put settle join'],
    ['a refund under the id of another', [refund], otherRefund, 'put put join'],
    ['other bytes', [payment], variant, 'put put getRow join merge'],
    ['other bytes that are delivered again', [payment, variant], variant, 'put put join merge'],
    ['other bytes of an erased event', [payment, erase('p')], variant, 'put put eraseBody join merge'],
  ])('%s', async (...one) => {
    expect(await callsOf(undefined, one)).toBe(one[3]);
  });
});

describe('with eventRetentionDays, the calls for', () => {
  it.each<Case>([
    ['a payment', [], payment, 'getRow putBody put join merge'],
    [
      'a payment under the id of another',
      [payment],
      body({ id: 'p', order: 'A', amount: '1.00' }),
      'getRow putBody put put join merge',
    ],
    [
      'a payment whose refund waits, with another under its id',
      [refund, otherRefund],
      payment,
      'getRow putBody put join merge settle settle setBodyExpiry',
    ],
    [
      'a dismissed payment of a full order',
      [fill, payment, dismiss('p')],
      payment,
      'getRow putBody put join merge merge',
    ],
  ])('%s', async (...one) => {
    expect(await callsOf(30, one)).toBe(one[3]);
  });
});
