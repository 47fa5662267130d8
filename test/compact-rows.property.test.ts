import { createHash } from 'node:crypto';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromEventItem, toBodyItem, toEventItem } from '../lambdas/aws/event-item.ts';
import { eventFact } from '../lambdas/domain/fact.ts';
import { parsePaymentEvent } from '../lambdas/domain/payment-event.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { anyBodies } from './doubles/hostile-bodies.ts';

const compact = { compact: true };
const isCompact = (row: EventRow): boolean => toEventItem(row, compact)['h'] !== undefined;

const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** The row that the consumer makes of a body, as far as the body decides it. */
function rowOf(body: Uint8Array, isBodyKept: boolean): EventRow | undefined {
  const parsed = parsePaymentEvent(body);
  if (!parsed.ok) return undefined;
  const { id, eventName, order, transaction } = parsed.event;
  return {
    key: `live:event:${id}`,
    record: 'event',
    mode: 'live',
    outcome: 'applied',
    eventId: id,
    eventName,
    ...(order === null || order === 'invalid' ? {} : { orderId: order.id }),
    ...(transaction.id === null ? {} : { transactionId: transaction.id }),
    fact: eventFact(parsed.event),
    ...(isBodyKept ? { body: new Uint8Array(body) } : {}),
    bodySha256: sha256(body),
    signature: sha256(Buffer.from('signature')),
    keyId: '0123456789abcdef',
    receivedAt: '2026-11-21T10:00:00.000Z',
    recordedAt: '2026-11-21T10:00:00.123Z',
  };
}

const readAgain = (row: EventRow) => {
  const { body, ...fields } = fromEventItem(toEventItem(row, compact));
  return { ...fields, ...(body === undefined ? {} : { body: new Uint8Array(body) }) };
};

describe('a compact row', () => {
  it('of any event that the consumer stores is read again as it is', () => {
    let rows = 0;
    let compactRows = 0;
    const anyBody = fc.oneof(
      anyBodies.map(([text = '']) => Buffer.from(text)),
      fc
        .record({ orderId: fc.string({ minLength: 1 }), amount: fc.string() })
        .map((fields) => bytesOf(paidEvent(fields))),
      fc.record({ orderId: fc.uuid(), seed: fc.string() }).map((fields) => bytesOf(refundedEvent(fields))),
    );
    fc.assert(
      fc.property(anyBody, fc.boolean(), (body, isBodyKept) => {
        const row = rowOf(body, isBodyKept);
        fc.pre(row !== undefined);
        expect(readAgain(row)).toEqual(row);
        rows += 1;
        if (isCompact(row)) compactRows += 1;
      }),
      { numRuns: 500 },
    );
    expect(compactRows).toBeGreaterThan(rows / 2);
  });

  it('with any texts in its fields is read again as it is, in one form or the other', () => {
    const [sample] = [rowOf(bytesOf(paidEvent({ orderId: 'A', seed: 'x' })), true)];
    const anyText = fc.oneof(
      fc.constantFrom('', 'live:event:x', 'AB12', 'ab12', 'abc', '2026-11-21T10:00:00Z', '0', ' ', '\0'),
      fc.string({ unit: 'binary' }),
    );
    const texts = [
      'key',
      'eventId',
      'eventName',
      'orderId',
      'transactionId',
      'bodySha256',
      'signature',
    ] as const;
    const anyChange = fc.record(
      Object.fromEntries(
        [...texts, 'keyId', 'receivedAt', 'recordedAt', 'assignedOrderId'].map((name) => [name, anyText]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyChange, (change) => {
        const row = { ...sample, ...change, signature: sample?.signature ?? '' } as EventRow;
        expect(readAgain(row)).toEqual(row);
      }),
      { numRuns: 400 },
    );
  });

  it('keeps what operators did to it, its reason and its order', () => {
    const row = rowOf(bytesOf(paidEvent({ orderId: 'A', seed: 'x' })), true) ?? expect.unreachable();
    const decision = { by: 'ann', at: '2026-11-21T10:00:00.000Z', reason: 'checked' };
    const acted: EventRow = {
      ...row,
      outcome: 'recorded',
      reason: 'order_refused',
      assignedOrderId: 'B',
      judged: { ...decision, verdict: 'dismissed' },
      erased: decision,
    };
    expect(isCompact(acted)).toBe(true);
    expect(readAgain(acted)).toEqual(acted);
  });

  it.each<[string, Partial<EventRow>]>([
    ['waits', { waiting: 'unassigned' }],
    ['is of another body', { record: 'conflict:ab' }],
    ['expires as a whole', { expiresAt: 1_800_000_000 }],
    ['has a key that its fields do not give', { key: 'live:event:other' }],
    ['has another name than its fact', { eventName: 'transaction.refunded' }],
  ])('is not written for a row that %s', (_, change) => {
    const row = rowOf(bytesOf(paidEvent({ orderId: 'A', seed: 'x' })), true) ?? expect.unreachable();
    expect(isCompact(row)).toBe(true);
    expect(isCompact({ ...row, ...change })).toBe(false);
    expect(readAgain({ ...row, ...change })).toEqual({ ...row, ...change });
  });

  it('whose fact was changed under its body is refused, because the body is deflated with it', () => {
    const row = rowOf(bytesOf(paidEvent({ orderId: 'A', seed: 'x' })), true) ?? expect.unreachable();
    const item = toEventItem(row, compact);
    const changed = { ...item, f: { S: String(item['f']?.S).replace(/ .{22} /, ` ${'A'.repeat(22)} `) } };
    expect(() => fromEventItem(changed)).toThrow(
      `The body of the event "${row.eventId}" has another SHA-256.`,
    );
  });

  it('takes its body from a row of its own', () => {
    const body = bytesOf(paidEvent({ orderId: 'A', seed: 'x' }));
    const row = rowOf(body, false) ?? expect.unreachable();
    const bodyRow = toBodyItem({ key: row.key, body, bodySha256: row.bodySha256, expiresAt: 7 }, compact);
    expect(bodyRow).toMatchObject({ record: { S: `body:${row.bodySha256}` }, expires_at: { N: '7' } });
    expect(Object.keys(bodyRow).sort()).toEqual(['b', 'event_key', 'expires_at', 'record']);
    const read = fromEventItem(toEventItem(row, compact), bodyRow);
    expect(Buffer.from(read.body ?? [])).toEqual(Buffer.from(body));
  });
});
