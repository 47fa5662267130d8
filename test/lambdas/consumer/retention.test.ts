import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../../lambdas/ports/rows.ts';
import { failing, setUpConsumer } from '../../doubles/consumer.ts';
import { eventBody, sent } from '../../doubles/event-body.ts';

const payment = sent({ id: 'p', order: 'A' });
const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });
const days = 24 * 60 * 60;
/** 30 days after 2026-11-21T10:00:01Z. */
const expiry = 1_797_847_201;

/** With `eventRetentionDays`; `hooks` fail calls. */
const setUp = (hooks = {}) => setUpConsumer({ eventRetentionDays: 30, ...hooks });

describe('with eventRetentionDays, the body of an event', () => {
  it('has a row of its own, which expires that long after it was recorded', async () => {
    const { consume, row } = setUp();
    await consume(payment);
    expect(row('p')).toMatchObject({ bodyRow: { expiresAt: expiry }, body: payment.body });
  });

  it('is kept while the event waits, and expires from when it was applied on', async () => {
    const { consume, row, wait } = setUp();
    await consume(refund);
    expect(row('r').bodyRow).toEqual({});
    wait(10 * days);
    await consume(payment);
    expect(row('r').bodyRow).toEqual({ expiresAt: expiry + 10 * days });
  });

  it('that waits for a person never expires', async () => {
    const { consume, tables } = setUp();
    await consume({ body: Buffer.from('junk') }, { ...payment, mode: 'sandbox' }, payment);
    await consume(sent({ id: 'p', order: 'B' }));
    const waiting = [...tables.events.values()].filter((row) => row.waiting !== undefined);
    expect(waiting.map(({ outcome }) => outcome)).toEqual(['unrecognised', 'quarantined', 'conflict']);
    for (const { body, bodyRow } of waiting)
      expect([body !== undefined, bodyRow?.expiresAt]).toEqual([true, undefined]);
  });

  it('of a heartbeat has no row of its own, because the whole row of the event expires', async () => {
    const { consume, tables } = setUp();
    await consume({ body: eventBody({ id: 'p', order: 'A', sandbox: true }), mode: 'heartbeat' });
    const [row] = tables.events.values();
    expect([row?.body !== undefined, row?.bodyRow]).toEqual([true, undefined]);
  });
});

it('without eventRetentionDays, the body of an event is in its row and never expires', async () => {
  const { consume, row } = setUpConsumer();
  await consume(payment, refund);
  expect([row('p'), row('r')].map(({ bodyRow, body }) => [bodyRow, body !== undefined])).toEqual([
    [undefined, true],
    [undefined, true],
  ]);
});

describe('a body that a crash kept out of its row', () => {
  /** An event whose row is stored without its body. */
  async function crashed(message: ReturnType<typeof sent>) {
    const { hooks, repair } = failing('putBody');
    const consumer = setUp(hooks);
    expect(await consumer.consume(message)).toEqual([message.messageId]);
    expect(consumer.row(message.messageId ?? '').body).toBeUndefined();
    repair();
    return consumer;
  }

  it('is stored in the last moment of its retention, and not after it', async () => {
    const { consume, row, wait } = await crashed(payment);
    const { row: lateRow, wait: lateWait, consume: consumeLate } = await crashed(payment);
    wait(30 * days - 1);
    await consume(payment);
    lateWait(30 * days);
    await consumeLate(payment);
    expect([row('p').body !== undefined, lateRow('p').body !== undefined]).toEqual([true, false]);
  });

  it('is stored at any time while its event waits', async () => {
    const { consume, row, wait } = await crashed(refund);
    wait(300 * days);
    expect(await consume(refund)).toEqual([]);
    expect(row('r')).toMatchObject({ body: refund.body, bodyRow: {}, waiting: 'unassigned' });
  });

  it('is not stored once it was erased', async () => {
    const { consume, row, tables, wait } = await crashed(payment);
    const erased = { by: 'ann', at: '2026-11-21T10:10:00.000Z', reason: 'the customer asked' };
    const stored: EventRow = { ...row('p'), erased };
    tables.events.set('live:event:p\nevent', stored);
    wait(60);
    expect(await consume(payment)).toEqual([]);
    expect(row('p').body).toBeUndefined();
    expect(row('p').erased).toEqual(erased);
  });
});

describe('an event whose body has expired', () => {
  async function expired() {
    const consumer = setUp();
    await consumer.consume(payment);
    const { body: _, bodyRow: __, ...row } = consumer.row('p');
    consumer.tables.events.set('live:event:p\nevent', row);
    consumer.wait(40 * days);
    return consumer;
  }

  it('is a duplicate when it is delivered again, and its body is not stored again', async () => {
    const { consume, everything, telemetry } = await expired();
    const before = everything();
    expect(await consume(payment)).toEqual([]);
    expect(everything()).toBe(before);
    expect(telemetry.lines.at(-1)?.fields['outcome']).toBe('duplicate');
  });
});
