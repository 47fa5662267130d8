import { describe, expect, it } from 'vitest';
import { createClassify } from '../../../lambdas/consumer/classify.ts';
import { parsePaymentEvent } from '../../../lambdas/domain/payment-event.ts';
import { type EventFields, eventBody, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { meaningOf } from '../../doubles/fold.ts';
import { setUpOperator } from '../../doubles/operations.ts';

/** A body that a live key has signed, and that is for the sandbox. */
const doubted = (fields: Partial<EventFields> = {}) =>
  sent({ id: 'e', order: 'A', sandbox: true, ...fields });
const admitted = { event: 'applied', quarantine: 'quarantined' };
const waits = { quarantine: 'quarantined, waits as quarantined' };

describe('an admission of a quarantined body', () => {
  it('records it in the mode of its key, under the order that it names', async () => {
    const { act, consume, order, states, tables } = setUpOperator();
    await consume(doubted());
    const { status, body } = await act('admit', { event_id: 'e' });
    expect([status, body.changed]).toEqual([200, true]);
    expect(body.events).toMatchObject([
      { before: null, after: { outcome: 'applied', waiting: null } },
      {
        before: { outcome: 'quarantined', waiting: 'quarantined' },
        after: { outcome: 'quarantined', waiting: null },
      },
    ]);
    expect(order('A')).toMatchObject({ status: 'paid', events: ['e'] });
    expect([...tables.orders.keys()]).toEqual(['live:order:A']);
    expect(states('e')).toEqual(admitted);
  });

  it('gives one without a usable order id the order that the operator names, and all that waits for it', async () => {
    const { act, consume, order, states } = setUpOperator();
    await consume(sent({ id: 'e', order: 'x'.repeat(1_025) }), sent({ id: 'r', action: 'refunded' }));
    const missing = await act('admit', { event_id: 'e' });
    expect([missing.status, missing.body.parameter]).toEqual([400, 'order_id']);
    expect((await act('admit', { event_id: 'e', order_id: 'A' })).body.orders).toHaveLength(1);
    expect(order('A')).toMatchObject({ status: 'refunded', events: ['e', 'r'] });
    expect([states('e'), states('r')]).toEqual([admitted, { event: 'applied' }]);
    expect((await act('admit', { event_id: 'e', order_id: 'B' })).status).toBe(409);
  });

  it('lets one that names no order wait when the operator names none, and give it an order later', async () => {
    const { act, consume, order, states } = setUpOperator();
    await consume(doubted({ order: null }));
    await act('admit', { event_id: 'e' });
    expect(states('e')).toEqual({ ...admitted, event: 'unassigned, waits as unassigned' });
    const { status } = await act('admit', { event_id: 'e', order_id: 'A' });
    expect([status, order('A')?.events, states('e')]).toEqual([200, ['e'], admitted]);
  });

  it('does not follow an order that the body does not name', async () => {
    const { act, consume, states } = setUpOperator();
    await consume(doubted());
    const { status, body } = await act('admit', { event_id: 'e', order_id: 'B' });
    const detail = 'The field order_id is "B"; expected "A", the order of the event.';
    expect([status, body.detail, states('e')]).toEqual([400, detail, waits]);
  });

  it('lets it count as another body of an event that has taken its id', async () => {
    const { act, consume, order, states } = setUpOperator();
    await consume(doubted(), sent({ id: 'e', order: 'B', amount: '1.00', transaction: 'U' }));
    expect((await act('admit', { event_id: 'e' })).body.changed).toBe(true);
    expect(states('e')).toEqual({ ...admitted, conflict: 'applied' });
    expect([order('A')?.events, order('B')?.events]).toEqual([['e'], ['e']]);
  });

  it('with a retention moves its body out of the row, and it expires', async () => {
    const { act, consume, row } = setUpOperator({ eventRetentionDays: 30 });
    const { body } = doubted();
    await consume({ body });
    await act('admit', { event_id: 'e' });
    const expiresAt = Math.floor(Date.parse('2026-11-21T11:00:01.000Z') / 1000) + 30 * 24 * 60 * 60;
    for (const record of ['event', 'quarantine'])
      expect(row('e', record)).toMatchObject({ body, bodyRow: { expiresAt } });
  });
});

describe('an admission of a body that is no event', () => {
  const text = Buffer.from('{"id":"e","order":"A"}');

  /** A release that reads what the first one could not: an event of the sandbox, or a live one. */
  function setUp(sandbox = false) {
    const operator = setUpOperator();
    operator.release.classify = createClassify(meaningOf);
    const release = () => {
      operator.release.classify = createClassify(meaningOf, (body) =>
        parsePaymentEvent(
          Buffer.from(body).equals(text) ? eventBody({ id: 'e', order: 'A', sandbox }) : body,
        ),
      );
    };
    return { ...operator, deployNext: release };
  }
  const place = `live:body:${sha256(text)}`;

  it('is refused while this version cannot read it either', async () => {
    const { act, consume } = setUp();
    await consume({ body: text });
    const { status, body } = await act('admit', { body_sha256: sha256(text) });
    expect(status).toBe(409);
    expect(body.detail).toContain('is no event for this version either');
  });

  it('records the event that a later version reads in it', async () => {
    const { act, consume, deployNext, order, states, tables, actsAt } = setUp();
    await consume({ body: text });
    deployNext();
    const { status, body } = await act('admit', { body_sha256: sha256(text) });
    expect([status, body.events.length]).toEqual([200, 2]);
    expect([order('A')?.events, states('e')]).toEqual([['e'], { event: 'applied' }]);
    const row = tables.events.get(`${place}\nunrecognised`);
    expect([row?.waiting, row?.judged?.verdict]).toEqual([undefined, 'admitted']);
    const audit = [{ act: 'admit', eventId: 'e', bodySha256: sha256(text) }];
    for (const key of [place, 'live:event:e', 'live:order:A']) expect(await actsAt(key)).toMatchObject(audit);
    await consume({ body: text });
    expect(order('A')).toMatchObject({ events: ['e'], sequence: 1 });
  });

  it('is quarantined when the later version doubts it, and waits as such', async () => {
    const { act, consume, deployNext, states, tables } = setUp(true);
    await consume({ body: text });
    deployNext();
    await act('admit', { body_sha256: sha256(text) });
    expect(states('e')).toEqual(waits);
    expect(tables.events.get(`${place}\nunrecognised`)?.waiting).toBeUndefined();
    await act('admit', { event_id: 'e' });
    expect(states('e')).toEqual(admitted);
  });

  it('is refused once its body was erased', async () => {
    const { act, consume, deployNext } = setUp();
    await consume({ body: text });
    await act('dismiss', { body_sha256: sha256(text) });
    await act('erase', { body_sha256: sha256(text) });
    deployNext();
    const { status, body } = await act('admit', { body_sha256: sha256(text) });
    expect([status, body.detail]).toEqual([
      409,
      `The body ${sha256(text)} cannot be admitted: its body was erased. Dismiss it.`,
    ]);
  });
});

describe('of several bodies under one id, an admission', () => {
  const bodies = [
    sent({ id: 'e', order: 'A' }),
    sent({ id: 'e', order: 'B' }),
    sent({ id: 'e', order: 'C' }),
  ];
  const [, second = sent({ id: '' }), third = sent({ id: '' })] = bodies;

  it('needs the hash of one, and lists those that wait', async () => {
    const { act, consume } = setUpOperator();
    await consume(...bodies);
    const { status, body } = await act('admit', { event_id: 'e' });
    expect([status, body.parameter]).toEqual([400, 'body_sha256']);
    for (const { body: bytes } of [second, third]) expect(body.detail).toContain(sha256(bytes));
  });

  it('counts a conflict in the order that it names, and takes its mark out of both', async () => {
    const { act, consume, order, factsOf } = setUpOperator();
    await consume(...bodies.slice(0, 2));
    expect(order('A')?.attention).toContain('conflicting_event');
    const { body } = await act('admit', { event_id: 'e' });
    expect(body.orders.map((change: { order_id: string }) => change.order_id)).toEqual(['A', 'B']);
    for (const id of ['A', 'B']) {
      expect(order(id)).toMatchObject({ status: 'paid', events: ['e'] });
      expect(factsOf(id).some((text) => text.startsWith('["conflict"'))).toBe(false);
    }
  });

  it('counts a conflict with another transaction and no order in the order that the operator names', async () => {
    const { act, consume, order } = setUpOperator();
    const other = sent({ id: 'e', action: 'refunded', transaction: 'U', amount: '5.00' });
    await consume(sent({ id: 'e', order: 'A' }), other);
    expect((await act('admit', { event_id: 'e' })).status).toBe(400);
    await act('admit', { event_id: 'e', order_id: 'B' });
    expect([order('A')?.events, order('B')?.events]).toEqual([['e'], ['e']]);
  });

  it('needs no order for a conflict of the same transaction, which follows it', async () => {
    const { act, consume, order, states } = setUpOperator();
    const refund = (amount: string) => sent({ id: 'r', action: 'refunded', amount });
    await consume(refund('1.00'), refund('2.00'), sent({ id: 'p', order: 'A' }));
    const { status, body } = await act('admit', { event_id: 'r' });
    expect([status, body.orders, states('r')]).toEqual([200, [], { event: 'applied', conflict: 'applied' }]);
    expect(order('A')?.events).toEqual(['p', 'r']);
  });
});
