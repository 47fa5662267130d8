import { describe, expect, it } from 'vitest';
import { eventKey } from '../lambdas/contract/schema.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { sha256 } from './doubles/older-parser.ts';
import { type Backend, setUpOperator } from './doubles/operator.ts';

const sent = (fields: EventFields) => ({ body: eventBody(fields) });
/** A paid event, with other fields in place of some. */
function altered(id: string, { sandbox = false, ...transaction }: Record<string, unknown>) {
  const money = { id: 'T', amount: '100.00', currency: 'USD', order_id: 'A', ...transaction };
  const event = { id, event_name: 'transaction.paid', sandbox, payload: { transaction: money } };
  return { body: Buffer.from(JSON.stringify(event)) };
}
const applied = { event: ['applied', null], quarantine: ['quarantined', null] };

describe.each<Backend>(['memory', 'tables'])('an admission of a quarantined body over %s', (backend) => {
  it('records it in the mode of its key, under the order that it names', async () => {
    const { act, consume, order, orders, rows } = await setUpOperator({ backend });
    await consume(altered('e', { sandbox: true }));
    const { status, body } = await act('admit', { event_id: 'e' });
    expect([status, body.changed]).toEqual([200, true]);
    expect(body.events).toMatchObject([
      { before: null, after: { outcome: 'applied', waiting: null } },
      {
        before: { outcome: 'quarantined', waiting: 'quarantined' },
        after: { outcome: 'quarantined', waiting: null },
      },
    ]);
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['e'] });
    expect(await orders.get({ mode: 'sandbox', id: 'A' })).toBeUndefined();
    expect(await rows('e')).toEqual(applied);
    expect((await act('admit', { event_id: 'e' })).body.changed).toBe(false);
  });

  it('counts it once when the event is delivered in order afterwards', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(altered('e', { sandbox: true }));
    await act('admit', { event_id: 'e' });
    await consume(altered('e', {}), altered('e', { sandbox: true }));
    expect(await order('A')).toMatchObject({ status: 'paid', attention: [], events: ['e'], sequence: 1 });
  });

  it('counts it once when the event was delivered in order before', async () => {
    const { act, consume, order, rows } = await setUpOperator({ backend });
    await consume(altered('e', { sandbox: true }), altered('e', {}));
    const { body } = await act('admit', { event_id: 'e' });
    expect([body.changed, body.orders]).toEqual([true, []]);
    expect(await order('A')).toMatchObject({ status: 'paid', attention: [], events: ['e'], sequence: 1 });
    expect(await rows('e')).toEqual({ ...applied, variant: ['duplicate', null] });
  });

  it('gives one without a usable order id the order that the operator names', async () => {
    const { act, consume, order, rows } = await setUpOperator({ backend });
    await consume(altered('e', { order_id: 'x'.repeat(1_025) }), sent({ id: 'r', action: 'refunded' }));
    const missing = await act('admit', { event_id: 'e' });
    expect([missing.status, missing.body.parameter]).toEqual([400, 'order_id']);
    const { status, body } = await act('admit', { event_id: 'e', order_id: 'A' });
    expect([status, body.orders.length]).toEqual([200, 1]);
    expect(await order('A')).toMatchObject({ status: 'refunded', events: ['e', 'r'] });
    expect([await rows('e'), await rows('r')]).toEqual([applied, { event: ['applied', null] }]);
    const other = await act('admit', { event_id: 'e', order_id: 'B' });
    expect([other.status, await order('B')]).toEqual([409, undefined]);
  });

  it('lets one that names no order wait as unassigned when the operator names none', async () => {
    const { act, consume, order, rows } = await setUpOperator({ backend });
    await consume(altered('e', { sandbox: true, order_id: null }));
    const { body } = await act('admit', { event_id: 'e' });
    expect(body.events[0].after).toEqual({ outcome: 'unassigned', waiting: 'unassigned' });
    expect((await rows('e'))['event']).toEqual(['unassigned', 'unassigned']);
    await act('admit', { event_id: 'e', order_id: 'A' });
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['e'] });
  });

  it('does not follow an order that the body does not name', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(altered('e', { sandbox: true }));
    const { status, body } = await act('admit', { event_id: 'e', order_id: 'B' });
    expect([status, body.detail]).toEqual([
      400,
      'The field order_id is "B"; expected "A", the order of the event.',
    ]);
    expect([await order('A'), await order('B')]).toEqual([undefined, undefined]);
  });

  it('leaves a transaction with the order of its payment', async () => {
    const { act, consume, order, rows } = await setUpOperator({ backend });
    await consume(sent({ id: 'p', order: 'A' }), altered('e', { order_id: 'x'.repeat(1_025) }));
    const { status, body } = await act('admit', { event_id: 'e', order_id: 'B' });
    expect(status).toBe(409);
    expect(body.detail).toContain('The transaction "T" belongs to the order "A"');
    expect(await rows('e')).toEqual({ quarantine: ['quarantined', 'quarantined'] });
    expect(await order('B')).toBeUndefined();
  });

  it('does without a transaction id that no fact can hold', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(altered('e', { id: 'x'.repeat(257) }));
    const { body } = await act('admit', { event_id: 'e' });
    expect(body.orders[0].after.transactions).toMatchObject([{ id: null, status: 'paid' }]);
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['e'] });
  });

  it('becomes a conflict when another event has taken its id', async () => {
    const { act, consume, order, rows } = await setUpOperator({ backend });
    await consume(altered('e', { sandbox: true }));
    await consume(sent({ id: 'e', order: 'B', amount: '1.00', transaction: 'U' }));
    const { body } = await act('admit', { event_id: 'e' });
    expect(body.changed).toBe(true);
    expect(await rows('e')).toEqual({ ...applied, conflict: ['conflict', 'conflict'] });
    expect(await order('A')).toMatchObject({
      status: 'pending',
      attention: ['conflicting_event'],
      events: [],
    });
  });
});

describe.each<Backend>(['memory', 'tables'])('an admission of a body that is no event over %s', (backend) => {
  const sha256 = 'cd'.repeat(32);
  const stored = (body: Uint8Array): EventRow => ({
    key: `live:body:${sha256}`,
    record: 'unrecognised',
    mode: 'live',
    outcome: 'unrecognised',
    reason: 'id_missing',
    waiting: 'unrecognised',
    body,
    bodySha256: sha256,
    keyId: 'abc',
    receivedAt: '2026-11-21T10:00:00.000Z',
    recordedAt: '2026-11-21T10:00:01.000Z',
  });

  it('is refused while this version cannot read the body either', async () => {
    const { act, events } = await setUpOperator({ backend });
    await events.put(stored(Buffer.from('{"waits":true}')));
    const { status, body } = await act('admit', { body_sha256: sha256 });
    expect(status).toBe(409);
    expect(body.detail).toContain('is no event for this version either (id_missing)');
    const row = await events.findUnrecognised('live', sha256);
    expect([row?.waiting, row?.judged]).toEqual(['unrecognised', undefined]);
  });

  it('records the event that this version reads in it', async () => {
    const { act, events, order, acts } = await setUpOperator({ backend });
    await events.put(stored(eventBody({ id: 'e', order: 'A' })));
    const { status, body } = await act('admit', { body_sha256: sha256 });
    expect([status, body.events.length]).toEqual([200, 2]);
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['e'] });
    expect((await events.findUnrecognised('live', sha256))?.waiting).toBeUndefined();
    for (const key of [`live:body:${sha256}`, 'live:event:e', 'live:order:A']) {
      expect(await acts.actsOf(key)).toMatchObject([{ act: 'admit', bodySha256: sha256 }]);
    }
  });
});

describe('an admission of an event of a full order', () => {
  const room = { orderBytesMax: 300, headroomBytes: 40 };
  const fill = (n: number) => sent({ id: `fill-${n}`, order: 'A', transaction: `T${n}` });

  it('is refused while the order is full, and the event waits on for another judgement', async () => {
    const { act, consume, order, rows, row, acts } = await setUpOperator({ room });
    await consume(...[1, 2, 3, 4, 5].map(fill));
    const before = await order('A');
    expect(before?.attention).toContain('too_many_events');
    const refused = [1, 2, 3, 4, 5].map((n) => `fill-${n}`).filter((id) => !before?.events.includes(id));
    const [id = ''] = refused;
    const { status, body } = await act('admit', { event_id: id });
    expect([status, body.detail]).toEqual([
      409,
      'The order "A" is full (too_many_events) and takes no further event. ' +
        'The event waits on: settle it in the order system, and dismiss it.',
    ]);
    expect(await rows(id)).toEqual({ event: ['quarantined', 'order_refused'] });
    expect((await row(id)).judged).toBeUndefined();
    expect([await order('A'), await acts.actsOf(`live:event:${id}`)]).toEqual([before, []]);
    expect((await act('dismiss', { event_id: id })).status).toBe(200);
  });

  it('merges it once the order takes it', async () => {
    const { act, consume, order, rows, setRoom } = await setUpOperator({ room });
    await consume(...[1, 2, 3, 4, 5].map(fill));
    setRoom(400_000);
    const refused = ['fill-1', 'fill-2', 'fill-3', 'fill-4', 'fill-5'];
    const counted = (await order('A'))?.events ?? [];
    const id = refused.find((one) => !counted.includes(one)) ?? '';
    const { status, body } = await act('admit', { event_id: id });
    expect([status, body.orders[0].order_id]).toEqual([200, 'A']);
    expect(await rows(id)).toEqual({ event: ['applied', null] });
    expect((await order('A'))?.events).toContain(id);
  });

  it('does not join the transaction of an unassigned event to an order that is marked as full', async () => {
    const { act, consume, transactions, rows } = await setUpOperator({ room });
    await consume(...[1, 2, 3, 4, 5].map(fill));
    await consume(sent({ id: 'p', transaction: 'U' }));
    const { status } = await act('admit', { event_id: 'p', order_id: 'A' });
    expect(status).toBe(409);
    expect((await transactions.get('live', 'U')).orderIds).toEqual([]);
    expect(await rows('p')).toEqual({ event: ['unassigned', 'unassigned'] });
    expect((await act('admit', { event_id: 'p', order_id: 'B' })).status).toBe(200);
  });
});

describe('an admission of an event name', () => {
  it('names the setting that gives it a meaning', async () => {
    const { act, consume } = await setUpOperator();
    await consume(sent({ id: 'e', action: 'settled', order: 'A' }));
    const { status, body } = await act('admit', { event_name: 'transaction.settled' });
    expect(status).toBe(409);
    expect(body.detail).toContain('Give "transaction.settled" a meaning in the setting eventMeanings');
  });
});

describe.each<Backend>(['memory', 'tables'])(
  'a row that 0.2.0 left without a mark that it waits, over %s',
  (backend) => {
    async function setUp() {
      const operator = await setUpOperator({ backend });
      await operator.consume(sent({ id: 'p', order: 'A' }), sent({ id: 'new', action: 'refunded' }));
      const { assignedOrderId: _, signature: __, fact: ___, ...row } = await operator.row('new');
      const body = eventBody({ id: 'old', action: 'refunded', transaction: 'U', order: null });
      const old = { ...row, key: eventKey('live', 'old'), eventId: 'old', transactionId: 'U', body };
      await operator.events.put({ ...old, outcome: 'recorded', bodySha256: sha256(body) } as EventRow);
      return operator;
    }

    it('can be admitted to an order', async () => {
      const { act, order, rows } = await setUp();
      expect(await rows('old')).toEqual({ event: ['recorded', null] });
      const { status, body } = await act('admit', { event_id: 'old', order_id: 'A' });
      expect([status, body.changed]).toEqual([200, true]);
      expect((await order('A'))?.events).toContain('old');
    });

    it('can be dismissed', async () => {
      const { act, row } = await setUp();
      expect((await act('dismiss', { event_id: 'old' })).body.changed).toBe(true);
      expect((await row('old')).judged?.verdict).toBe('dismissed');
    });
  },
);
