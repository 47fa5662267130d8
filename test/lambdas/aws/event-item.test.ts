import { randomBytes } from 'node:crypto';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyValues, eventValues, readEventItem } from '../../../lambdas/aws/event-item.ts';
import { toItem } from '../../../lambdas/aws/items.ts';
import { waitingKinds } from '../../../lambdas/contract/metrics.ts';
import { eventKey, eventRecord } from '../../../lambdas/contract/schema.ts';
import { createMeaningOf, meanings } from '../../../lambdas/domain/assumptions.ts';
import { parsePaymentEvent, readingOf } from '../../../lambdas/domain/payment-event.ts';
import type { EventRow } from '../../../lambdas/ports/rows.ts';
import { eventRow, sha256 } from '../../doubles/event-rows.ts';

const toEventItem = (row: EventRow) => toItem(eventValues(row));
const toBodyItem = (row: Parameters<typeof bodyValues>[0]) => toItem(bodyValues(row));

const text = fc.string({ unit: 'grapheme' });
const time = fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
const decision = { by: text, at: time, reason: text };
const hex = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const body = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  text.map((value) => Uint8Array.from(Buffer.from(value))),
);

const reading = fc.record({
  ...{ eventName: text, meaning: fc.constantFrom(...meanings, null), orderId: fc.option(text) },
  ...{ transactionId: fc.option(text), amount: fc.option(text), currency: fc.option(text) },
  createdAt: fc.option(text),
});
const judged = fc.record(
  { ...decision, verdict: fc.constantFrom('admitted', 'dismissed'), orderId: text },
  { requiredKeys: ['by', 'at', 'reason', 'verdict'] },
);
const always = {
  ...{ reading, outcome: fc.constantFrom('applied', 'recorded', 'unassigned', 'conflict', 'quarantined') },
  ...{ mode: fc.constantFrom('live', 'sandbox', 'heartbeat'), signature: hex, keyId: text },
  ...{ receivedAt: text, recordedAt: time, version: fc.nat() },
  assignedOrderIds: fc.uniqueArray(text).map((ids) => ids.sort()),
};
const sometimes = {
  ...{ judged, erased: fc.record(decision), body, waiting: fc.constantFrom(...waitingKinds) },
  reason: fc.constantFrom('order_refused', 'sandbox_flag_missing'),
};
const fields = fc.record({ ...always, ...sometimes }, { requiredKeys: Object.keys(always) as never });
const rows: fc.Arbitrary<EventRow> = fc.tuple(text, fields).map(([eventId, given]) => {
  const { body: _, ...bodiless } = eventRow(eventId, given as Partial<EventRow>);
  return given.body === undefined ? bodiless : eventRow(eventId, given as Partial<EventRow>);
});

describe('the item of an event', () => {
  it('is read as the row that was stored', () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(readEventItem(toEventItem(row))).toEqual(row);
      }),
    );
  });

  it('is read with a body that has an item of its own', () => {
    const expiry = fc.record({ expiresAt: fc.nat() }, { requiredKeys: [] });
    fc.assert(
      fc.property(rows, body, expiry, (row, bytes, bodyRow) => {
        const whole = { ...row, body: bytes, bodySha256: sha256(bytes), bodyRow };
        const bodyItem = toBodyItem({ ...whole, ...bodyRow });
        expect(readEventItem(toEventItem(whole), bodyItem)).toEqual(whole);
      }),
    );
  });

  it('of a payment costs one write unit, with room for longer ids', () => {
    const event = paidEvent({ orderId: 'ORD-2026-004817', seed: 'sample' });
    const parsed = parsePaymentEvent(bytesOf(event));
    const reading = parsed.ok ? readingOf(parsed.event, createMeaningOf()) : {};
    const item = toEventItem(eventRow(event.id, { body: bytesOf(event), reading }));
    const sizes = Object.entries(item).map(
      ([name, { S = '', B }]) => name.length + (B ?? Buffer.from(S)).length,
    );
    expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThan(1024 - 64);
  });
});

it('a body that repeats what is far before costs its bytes once', () => {
  const half = randomBytes(75_000);
  const packed = toBodyItem({
    key: 'k',
    bodySha256: '',
    body: Buffer.concat([half, half]),
    expiresAt: undefined,
  });
  expect(packed['body']?.B?.length).toBeLessThan(76_000);
});

describe('a damaged item', () => {
  const item = toEventItem(
    eventRow('evt-1', { body: Buffer.from('{"id":"evt-1","other":"evt-1"}'.repeat(9)) }),
  );
  const bytes = item['body']?.B ?? new Uint8Array();

  it.each([
    ['an unknown outcome', { outcome: { S: 'guessed' } }],
    ['an unknown meaning', { meaning: { S: 'donated' } }],
    ['an unknown encoding of the body', { body_encoding: { S: 'zstd' } }],
    ['another body', { body: { B: Buffer.from('{}') }, body_encoding: { S: 'identity' } }],
    ['a body of which bytes are missing', { body: { B: bytes.subarray(0, -3) } }],
    ['no hash', { body_sha256: { S: 'text' } }],
    ['no time', { recorded_at: { N: '1' } }],
    ['an unknown wait', { waiting: { S: 'live:hungry' } }],
    ['an unknown verdict', { judged: { M: { verdict: { S: 'maybe' } } } }],
    ['the key of no row', { event_key: { S: 'other' } }],
  ])('with %s cannot be read', (_, damage) => {
    expect(readEventItem(item)).toBeDefined();
    expect(readEventItem({ ...item, ...damage })).toBeUndefined();
  });

  it('cannot be read with the item of another body', () => {
    const row = eventRow('evt-1', { bodyRow: {} });
    const other = { key: eventKey('live', 'evt-1'), bodySha256: row.bodySha256, body: Buffer.from('other') };
    expect(toBodyItem(other)['record']).toEqual({ S: eventRecord.body(row.bodySha256) });
    expect(readEventItem(toEventItem(row), toBodyItem(other))).toBeUndefined();
  });
});
