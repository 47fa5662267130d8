import { describe, expect, it } from 'vitest';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { variants } from './doubles/operations.ts';
import { setUpOperator } from './doubles/operator.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { dyingAfter } from './doubles/turns.ts';

const ann = 'arn:aws:iam::1:user/ann';
const bob = 'arn:aws:iam::1:user/bob';
const sent = (fields: EventFields) => ({ body: eventBody(fields) });
const refund = sent({ id: 'r', action: 'refunded' });
/** Quarantined, because no order can have this id; it is recorded without it. */
const nameless = (fields: EventFields) => sent({ ...fields, order: 'x'.repeat(1_025) });
const toA = { event_id: 'e', order_id: 'A' };
const unrecognised: EventRow = {
  ...{ key: `live:body:${'cd'.repeat(32)}`, record: 'unrecognised', mode: 'live', keyId: 'abc' },
  ...{ outcome: 'unrecognised', reason: 'id_missing', waiting: 'unrecognised' },
  ...{ bodySha256: 'cd'.repeat(32), body: Buffer.from('{"waits":true}') },
  ...{ receivedAt: '2026-11-21T10:00:00.000Z', recordedAt: '2026-11-21T10:00:01.000Z' },
};
const claim = { verdict: 'admitted', by: bob, at: '2026-11-22T08:00:00.000Z', reason: 'first' } as const;

describe('an admission of what does not wait', () => {
  it('is refused for an event whose name has no meaning, and for a duplicate', async () => {
    const { act, consume, row } = await setUpOperator();
    await consume(sent({ id: 'n', action: 'settled', transaction: 'U' }), sent({ id: 'p', order: 'A' }));
    await consume(sent({ id: 'p', order: 'A', attempt: 2 }));
    const { bodySha256 } = await row('p', 'variant');
    const refusals = [
      await act('admit', { event_id: 'n' }),
      await act('admit', { event_id: 'p', body_sha256: bodySha256 }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.detail])).toEqual([
      [409, 'The event "n" does not wait: its outcome is recorded. There is nothing to admit.'],
      [409, 'The event "p" does not wait: its outcome is duplicate. There is nothing to admit.'],
    ]);
  });

  it('changes nothing in any order of a transaction that two orders share, and is refused for another', async () => {
    const { act, consume } = await setUpOperator();
    await consume(sent({ id: 'p', order: 'A' }), sent({ id: 'q', order: 'B' }), refund);
    for (const order_id of ['A', 'B']) {
      const { status, body } = await act('admit', { event_id: 'r', order_id });
      expect([order_id, status, body.changed]).toEqual([order_id, 200, false]);
    }
    const { status, body } = await act('admit', { event_id: 'r', order_id: 'C' });
    expect([status, body.detail]).toEqual([
      409,
      'The event "r" does not wait: it is applied to the order "A". It counts in one order only.',
    ]);
  });

  it('changes nothing where a row of 0.2.0 has neither its body nor its fact any more', async () => {
    const { act, consume, events, row } = await setUpOperator();
    await consume(sent({ id: 'p', order: 'A' }));
    const { body: _, fact: __, ...expired } = await row('p');
    await events.put({ ...expired, key: 'live:event:old', eventId: 'old' });
    const admit = async (order_id: string) => (await act('admit', { event_id: 'old', order_id })).status;
    expect([await admit('A'), await admit('B')]).toEqual([200, 409]);
  });
});

describe('an admission', () => {
  it('under no order names none in its judgement and in its audit', async () => {
    const { act, consume, row, acts } = await setUpOperator();
    await consume(sent({ id: 'q' }), nameless({ id: 'e' }));
    await consume(sent({ id: 's', sandbox: true }));
    await act('admit', { event_id: 's' });
    const decision = { by: ann, at: '2026-11-22T09:00:00.000Z', reason: 'checked with the customer' };
    const { judged, bodySha256 } = await row('s', 'quarantine');
    expect(judged).toStrictEqual({ verdict: 'admitted', ...decision });
    const audited = { act: 'admit', ...decision, bodySha256, eventId: 's' };
    expect(await acts.actsOf('live:event:s')).toStrictEqual([audited]);
  });

  it('of a body that is no event is audited without an event id', async () => {
    const { act, events, acts } = await setUpOperator();
    const { bodySha256, key } = unrecognised;
    await events.put({ ...unrecognised, body: eventBody({ id: 'e', order: 'A' }) });
    await act('admit', { body_sha256: bodySha256 });
    expect((await acts.actsOf(key)).map((one) => Object.keys(one).sort())).toEqual([
      ['act', 'at', 'bodySha256', 'by', 'orderId', 'reason'],
    ]);
  });

  it('of a conflict without an order leaves both bodies with their transaction', async () => {
    const { act, consume, rows, row, transactions } = await setUpOperator();
    await consume(refund, sent({ id: 'r', action: 'refunded', amount: '50.00' }));
    const { bodySha256 } = await row('r', 'conflict');
    const { status, body } = await act('admit', { event_id: 'r', body_sha256: bodySha256 });
    expect([status, body.changed, body.orders]).toEqual([200, true, []]);
    expect(await rows('r')).toEqual({ event: ['unassigned', 'unassigned'], conflict: ['conflict', null] });
    expect((await transactions.get('live', 'T')).facts).toHaveLength(2);
  });

  it('out of quarantine joins a second order to a transaction when the body names it', async () => {
    const { act, acts, consume, order } = await setUpOperator();
    await consume(sent({ id: 'p', order: 'B' }), sent({ id: 'e', order: 'A', sandbox: true }));
    expect((await act('admit', { event_id: 'e' })).status).toBe(200);
    for (const id of ['A', 'B']) {
      expect((await order(id))?.attention).toEqual(['transaction_in_two_orders']);
      expect(await acts.actsOf(`live:order:${id}`)).toMatchObject([{ act: 'admit', eventId: 'e' }]);
    }
  });

  it('of a body whose id another event has taken makes it a conflict, which waits', async () => {
    const { act, consume, rows } = await setUpOperator();
    await consume(nameless({ id: 'e' }), sent({ id: 'e', order: 'B', transaction: 'U' }));
    expect((await act('admit', toA)).status).toBe(200);
    expect(await rows('e')).toEqual({
      ...{ event: ['applied', null], conflict: ['conflict', 'conflict'] },
      quarantine: ['quarantined', null],
    });
  });

  it('gives an event the order although another body of it was dismissed', async () => {
    const { act, consume, order, row } = await setUpOperator();
    await consume(sent({ id: 'e', transaction: null }));
    await act('dismiss', { event_id: 'e' });
    await consume(nameless({ id: 'e', transaction: null }));
    const { bodySha256 } = await row('e', 'quarantine');
    expect((await act('admit', { ...toA, body_sha256: bodySha256 })).status).toBe(200);
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['e'] });
  });

  it('is refused when another body of the event was admitted under another order', async () => {
    const { act, consume, order, row, rows } = await setUpOperator();
    await consume(sent({ id: 'e', transaction: null }));
    await act('admit', { event_id: 'e', order_id: 'B' });
    await consume(nameless({ id: 'e', transaction: null }));
    const { bodySha256 } = await row('e', 'quarantine');
    const { status, body } = await act('admit', { ...toA, body_sha256: bodySha256 });
    expect([status, body.detail]).toEqual([
      409,
      `The event "e" was admitted under the order "B" by ${ann} at 2026-11-22T09:00:00.000Z ` +
        '("checked with the customer"). An admission stays; the order shows what it changed.',
    ]);
    expect([(await row('e', 'quarantine')).judged, await order('A')]).toEqual([undefined, undefined]);
    expect((await rows('e'))['quarantine']).toEqual(['quarantined', 'quarantined']);
    expect((await act('admit', { ...toA, order_id: 'B', body_sha256: bodySha256 })).status).toBe(200);
    expect(await order('B')).toMatchObject({ sequence: 1 });
  });

  it('is tried again when the event is judged in the moment in which it gets its order', async () => {
    let refusals = 0;
    const { act, consume, order } = await setUpOperator({
      parts: ({ judgements }) => ({
        judgements: {
          ...judgements,
          async judge(change) {
            if (change.row.record === 'event' && refusals++ === 0) return false;
            return judgements.judge(change);
          },
        },
      }),
    });
    await consume(nameless({ id: 'e' }));
    expect((await act('admit', toA)).body).toMatchObject({ changed: true, orders: [{ order_id: 'A' }] });
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['e'] });
  });
});

describe('an admission after a dismissal', () => {
  it('merges a conflicting body', async () => {
    const { act, consume, order } = await setUpOperator();
    await consume(sent({ id: 'e', order: 'A' }), sent({ id: 'e', order: 'B', transaction: 'U' }));
    await act('dismiss', { event_id: 'e' });
    expect((await act('admit', { event_id: 'e' })).body).toMatchObject({ changed: true });
    expect(await order('B')).toMatchObject({ status: 'paid' });
  });

  it('merges an event that its order refused', async () => {
    const { act, consume, order, setRoom } = await setUpOperator({
      room: { orderBytesMax: 120, headroomBytes: 40 },
    });
    await consume(sent({ id: 'p', order: 'A' }), sent({ id: 'q', order: 'A', transaction: 'U' }));
    const [kept] = (await order('A'))?.events ?? [];
    const fields = { event_id: kept === 'p' ? 'q' : 'p' };
    expect((await act('dismiss', fields)).body).toMatchObject({ changed: true });
    setRoom(400_000);
    expect((await act('admit', fields)).body).toMatchObject({ changed: true });
    expect((await order('A'))?.events).toEqual(['p', 'q']);
  });

  it('records a body that a newer version reads', async () => {
    const { act, events, order } = await setUpOperator();
    const { waiting: _, ...row } = unrecognised;
    const judged = { ...claim, verdict: 'dismissed' } as const;
    await events.put({ ...row, judged, body: eventBody({ id: 'e', order: 'A' }) });
    expect((await act('admit', { body_sha256: row.bodySha256 })).status).toBe(200);
    expect(await order('A')).toMatchObject({ events: ['e'] });
  });
});

describe('an admission of one of many bodies', () => {
  it('completes the row of the event together with the row that was quarantined for the same body', async () => {
    const { act, consume, events, row, rows } = await setUpOperator();
    await consume(sent({ id: 'e' }));
    const { fact: _, waiting: __, ...own } = await row('e');
    const record = `quarantine:${own.bodySha256}`;
    const reason = 'sandbox_flag_missing';
    await events.put({ ...own, record, reason, outcome: 'quarantined', waiting: 'quarantined' });
    expect((await act('admit', toA)).status).toBe(200);
    expect(await rows('e')).toEqual({ event: ['applied', null], quarantine: ['quarantined', null] });
  });

  it('needs its hash, and lists ten of them', async () => {
    const { act, consume } = await setUpOperator();
    const conflict = (n: number) => sent({ id: 'e', order: `B${n}`, transaction: `U${n}` });
    await consume(sent({ id: 'e', order: 'A' }));
    await consume(...Array.from({ length: 10 }, (_, n) => conflict(n)));
    const ten = (await act('admit', { event_id: 'e' })).body.detail;
    expect(ten).toMatch(/ of this event: ([0-9a-f]{64}, ){9}[0-9a-f]{64}\.$/);
    await consume(conflict(10), conflict(11));
    const { detail } = (await act('admit', { event_id: 'e' })).body;
    expect(detail).toMatch(/^The field body_sha256 is missing; expected one of the bodies of this event: /);
    expect(detail).toMatch(/: ([0-9a-f]{64}, ){9}[0-9a-f]{64} and 2 or more others\.$/);
  });

  it('finds it by its hash after the 300 that one request reads', async () => {
    const { act, consume, events, row } = await setUpOperator({
      parts: ({ events }) => ({
        events: { ...events, find: async (...id) => (await events.find(...id)).slice(0, 300) },
      }),
    });
    await consume(sent({ id: 'e', order: 'A' }));
    const own = await row('e');
    for (const variant of variants(own, 299)) {
      const outcome = Number(variant.bodySha256) < 2 ? 'conflict' : variant.outcome;
      await events.put({ ...variant, outcome });
    }
    expect((await act('admit', { event_id: 'e' })).body.detail).toMatch(
      /of the bodies of this event: 0, 1\.$/,
    );
    await consume(sent({ id: 'e', order: 'B', transaction: 'U' }));
    const { bodySha256 } = await row('e', 'conflict');
    const { status, body } = await act('admit', { event_id: 'e', body_sha256: bodySha256 });
    expect([status, body.orders]).toMatchObject([200, [{ order_id: 'B' }]]);
  });
});

describe('an interrupted admission', () => {
  it('is taken back once this version cannot read the body', async () => {
    const { act, events } = await setUpOperator();
    await events.put({ ...unrecognised, judged: claim });
    const { status } = await act('admit', { body_sha256: unrecognised.bodySha256 });
    const row = await events.findUnrecognised('live', unrecognised.bodySha256);
    expect([status, row?.waiting, row?.judged]).toEqual([409, 'unrecognised', undefined]);
  });

  it('is completed although its order, which has the event, has become full since', async () => {
    const tables = sharedTables();
    await tables.consume(refund);
    const first = { event_id: 'r', order_id: 'A' };
    for (let at = 0; at < 100 && tables.orders.get('live:order:A') === undefined; at += 1)
      await tables.act(
        'admit',
        first,
        'ann',
        dyingAfter(at)(async () => {}),
      );
    expect(tables.waiting()).toEqual(['live:event:r event']);
    tables.orders.get('live:order:A')?.facts.add('["full.1"]');
    expect(await tables.act('admit', first)).toMatchObject({ status: 200, changed: true });
    expect(tables.waiting()).toEqual([]);
  });

  it('stays as it is when another operator names an order that cannot take the event', async () => {
    const tables = sharedTables();
    await tables.consume({ body: eventBody({ id: 'e', transaction: null }) });
    await tables.consume({ body: eventBody({ id: 'p', order: 'B', transaction: 'U' }) });
    tables.orders.get('live:order:B')?.facts.add('["full.1"]');
    const judged = () => tables.events.get('live:event:e event')?.judged;
    for (let at = 0; at < 100 && judged() === undefined; at += 1)
      await tables.act(
        'admit',
        toA,
        'ann',
        dyingAfter(at)(async () => {}),
      );
    expect(await tables.act('admit', { ...toA, order_id: 'B' }, 'bob')).toMatchObject({
      status: 409,
      detail:
        'The event "e" is being admitted under the order "A" by ann at 2026-11-22T09:00:00.000Z ' +
        '("checked by ann"). If that was interrupted, repeat the same admission to complete it.',
    });
    expect(judged()).toMatchObject({ verdict: 'admitted', by: 'ann', orderId: 'A' });
    expect(await tables.act('admit', toA)).toMatchObject({ status: 200, changed: true });
  });

  it('of another body of a dismissed event shows that the event waits meanwhile', async () => {
    const waiting: unknown[] = [];
    let status = 0;
    for (let at = 0; at < 100 && status !== 200; at += 1) {
      const tables = sharedTables();
      const row = () => tables.events.get('live:event:e event');
      await tables.consume({ body: eventBody({ id: 'e', transaction: null }) });
      await tables.act('dismiss', { event_id: 'e' });
      await tables.consume(nameless({ id: 'e', transaction: null }));
      const of = [...tables.events.values()].find(({ record }) => record.startsWith('quarantine'));
      const fields = { ...toA, body_sha256: of?.bodySha256 };
      ({ status } = await tables.act(
        'admit',
        fields,
        'ann',
        dyingAfter(at)(async () => {}),
      ));
      const isClaimed = row()?.judged?.verdict === 'admitted' && row()?.outcome !== 'applied';
      if (isClaimed) waiting.push(row()?.waiting);
    }
    expect([status, new Set(waiting)]).toEqual([200, new Set(['unassigned'])]);
  });
});

it('an admission that its order cannot take leaves the body and the event waiting, without a judgement', async () => {
  const { act, consume, row, rows, order } = await setUpOperator({
    room: { orderBytesMax: 120, headroomBytes: 40 },
  });
  await consume(sent({ id: 'p', order: 'A', transaction: 'U' }), nameless({ id: 'e' }));
  const { status } = await act('admit', toA);
  expect([status, (await order('A'))?.events]).toEqual([409, ['p']]);
  expect(await rows('e')).toEqual({
    event: ['quarantined', 'order_refused'],
    quarantine: ['quarantined', 'quarantined'],
  });
  expect([(await row('e')).judged, (await row('e', 'quarantine')).judged]).toEqual([undefined, undefined]);
});
