import { describe, expect, it } from 'vitest';
import { createClassify } from '../../../lambdas/consumer/receive.ts';
import { parsePaymentEvent } from '../../../lambdas/domain/payment-event.ts';
import { type EventFields, eventBody, payment, refund, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { meaningOf } from '../../doubles/fold.ts';
import { ann, operatorAfter, reason } from '../../doubles/operations.ts';

const applied = { event: 'applied' };
const orphan = sent({ id: 'p' });

it('an admission gives the event, and all that waits for its transaction, the order', async () => {
  const { act, order, states, row, actsAt } = await operatorAfter([orphan, refund]);
  const { status, body } = await act('admit', { event_id: 'p', order_id: 'A' });
  const money = { status: 'partially_refunded', amount: '100.00', returned: '40.00', currency: 'USD' };
  const transactions = [{ id: 'T', ...money, created_at: null }];
  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ act: 'admit', mode: 'live', dry_run: false, changed: true, by: ann, reason },
    ...{ plan_sha256: expect.any(String), proposal_id: null },
    at: '2026-11-21T11:00:01.000Z',
    events: [
      { event_id: 'p', event_name: 'transaction.paid', meaning: 'paid', amount: '100.00', currency: 'USD' },
      {
        ...{ event_id: 'r', event_name: 'transaction.refunded', meaning: 'refunded', amount: '40.00' },
        currency: 'USD',
      },
    ].map((event) => ({
      ...{ ...event, body_sha256: row(event.event_id).bodySha256 },
      before: { outcome: 'unassigned', waiting: 'unassigned' },
      after: { outcome: 'applied', waiting: null },
    })),
    orders: [
      {
        ...{ order_id: 'A', before: null },
        after: { status: 'partially_refunded', attention: [], transactions, sequence: 1 },
      },
    ],
  });
  expect(order('A')).toMatchObject({ status: 'partially_refunded', events: ['p', 'r'], sequence: 1 });
  expect([states('p'), states('r')]).toEqual([applied, applied]);
  const audit = { act: 'admit', by: ann, at: body.at, reason, eventId: 'p', orderId: 'A' };
  for (const key of ['live:event:p', 'live:order:A']) expect(await actsAt(key)).toEqual([audit]);
});

it.each([{ event_id: 'r' }, { event_id: 'r', order_id: 'A' }, { event_id: 'p' }])(
  'an admission changes nothing for an event that is applied already: %j',
  async (fields) => {
    const { act } = await operatorAfter([refund, payment]);
    const { status, body } = await act('admit', fields);
    expect([status, body.changed, body.orders]).toEqual([200, false, []]);
  },
);

describe('an admission to a full order', () => {
  /** Orders have room for one event, until a test changes it. */
  async function setUp(message: typeof payment) {
    const room = { factsMax: 1 };
    const fits = (_: unknown, facts: readonly string[]) =>
      facts.filter((fact) => fact !== '["full"]').length <= room.factsMax;
    return { ...(await operatorAfter([payment, message], { fits })), room };
  }

  it.each([
    ['that it names', { order: 'A' }, {}],
    ['that the operator names', { transaction: 'U' }, { order_id: 'A' }],
  ])('is refused while the order %s is full, and the event waits on', async (_, event, fields) => {
    const { act } = await setUp(sent({ id: 'r', action: 'refunded', ...event }));
    const { status, body } = await act('admit', { event_id: 'r', ...fields });
    expect([status, body.detail]).toEqual([
      409,
      'The event "r" stays: the row of the order "A" is full. See too_many_events in the runbook.',
    ]);
  });

  it('counts it once there is room, under its own order only', async () => {
    const { act, order, states, room } = await setUp(refund);
    room.factsMax = 2;
    expect((await act('admit', { event_id: 'r', order_id: 'B' })).status).toBe(400);
    expect((await act('admit', { event_id: 'r' })).body.changed).toBe(true);
    expect([states('r'), order('A')?.events]).toEqual([applied, ['p', 'r']]);
  });
});

describe('an admission of a quarantined body', () => {
  /** A body that a live key has signed, and that is for the sandbox. */
  const doubted = (fields: Partial<EventFields> = {}) =>
    sent({ id: 'e', order: 'A', sandbox: true, ...fields });
  const admitted = { event: 'applied', quarantine: 'quarantined' };

  it('records it in the mode of its key, under the order that it names', async () => {
    const { act, order, states, tables } = await operatorAfter([doubted()]);
    const { body } = await act('admit', { event_id: 'e' });
    const quarantined = { outcome: 'quarantined', waiting: 'quarantined' };
    expect(body.events).toMatchObject([
      { before: null, after: { outcome: 'applied', waiting: null } },
      { before: quarantined, after: { ...quarantined, waiting: null } },
    ]);
    expect(order('A')).toMatchObject({ status: 'paid', events: ['e'] });
    expect([...tables.orders.keys()]).toEqual(['live:order:A']);
    expect(states('e')).toEqual(admitted);
  });

  it('gives one without a usable order id the order that the operator names, and all that waits for it', async () => {
    const { act, order, states } = await operatorAfter([sent({ id: 'e', order: 'x'.repeat(1_025) }), refund]);
    expect((await act('admit', { event_id: 'e', order_id: 'A' })).body.orders).toHaveLength(1);
    expect(order('A')).toMatchObject({ status: 'partially_refunded', events: ['e', 'r'] });
    expect([states('e'), states('r')]).toEqual([admitted, applied]);
    expect((await act('admit', { event_id: 'e', order_id: 'B' })).status).toBe(409);
  });

  it('lets it count as another body of an event that has taken its id', async () => {
    const taken = sent({ id: 'e', order: 'B', amount: '1.00', transaction: 'U' });
    const { act, order, states } = await operatorAfter([doubted(), taken]);
    expect((await act('admit', { event_id: 'e' })).body.changed).toBe(true);
    expect(states('e')).toEqual({ ...admitted, conflict: 'applied' });
    expect([order('A')?.events, order('B')?.events]).toEqual([['e'], ['e']]);
  });
});

describe('an admission of a body that is no event', () => {
  const text = Buffer.from('{"id":"e","order":"A"}');
  const named = { body_sha256: sha256(text) };
  const place = `live:body:${named.body_sha256}`;

  /** `deployNext`: a release that reads what the first one could not, an event of the sandbox or a live one. */
  async function setUp({ sandbox = false } = {}) {
    const operator = await operatorAfter([{ body: text }]);
    const event = eventBody({ id: 'e', order: 'A', sandbox });
    const deployNext = () => {
      operator.release.classify = createClassify(meaningOf, (body) =>
        parsePaymentEvent(Buffer.from(body).equals(text) ? event : body),
      );
    };
    return { ...operator, deployNext };
  }

  it('records the event that a later version reads in it', async () => {
    const { act, consume, deployNext, order, states, tables, actsAt } = await setUp();
    deployNext();
    expect((await act('admit', named)).body.events).toHaveLength(2);
    expect([order('A')?.events, states('e')]).toEqual([['e'], applied]);
    const row = tables.events.get(`${place}\nunrecognised`);
    expect([row?.waiting, row?.judged?.verdict]).toEqual([undefined, 'admitted']);
    const audit = [{ act: 'admit', eventId: 'e', bodySha256: named.body_sha256 }];
    for (const key of [place, 'live:event:e', 'live:order:A']) expect(await actsAt(key)).toMatchObject(audit);
    await consume({ body: text });
    expect(order('A')).toMatchObject({ events: ['e'], sequence: 1 });
  });

  it('is quarantined when the later version doubts it, and waits as such', async () => {
    const { act, deployNext, states, tables } = await setUp({ sandbox: true });
    deployNext();
    await act('admit', named);
    expect(states('e')).toEqual({ quarantine: 'quarantined, waits as quarantined' });
    expect(tables.events.get(`${place}\nunrecognised`)?.waiting).toBeUndefined();
    await act('admit', { event_id: 'e' });
    expect(states('e')).toEqual({ event: 'applied', quarantine: 'quarantined' });
  });

  it('is refused once its body was erased', async () => {
    const { act, deployNext } = await setUp();
    await act('dismiss', named);
    await act('erase', named);
    deployNext();
    const { status, body } = await act('admit', named);
    const detail = `The body ${named.body_sha256} cannot be admitted: its body was erased. Dismiss it.`;
    expect([status, body.detail]).toEqual([409, detail]);
  });
});

describe('an admission of a message without a seal', () => {
  const named = { body_sha256: sha256(payment.body) };
  const unsealed = { ...payment, seal: '' };
  const ended = {
    before: { outcome: 'unsealed', waiting: 'unsealed' },
    after: { outcome: 'unsealed', waiting: null },
  };

  it('counts it as if the verifier had sent it, and the audit shows who decided', async () => {
    const { act, order, states, consume, actsAt } = await operatorAfter([unsealed]);
    expect((await act('admit', named)).body.events).toMatchObject([
      ended,
      { event_id: 'p', before: null, after: { outcome: 'applied' } },
    ]);
    expect([order('A')?.status, states('p')]).toEqual(['paid', applied]);
    const audit = [{ act: 'admit', by: ann, reason, eventId: 'p', bodySha256: named.body_sha256 }];
    for (const key of [`live:body:${named.body_sha256}`, 'live:event:p', 'live:order:A'])
      expect(await actsAt(key)).toMatchObject(audit);
    await consume(payment, unsealed);
    expect(order('A')).toMatchObject({ events: ['p'], sequence: 1 });
  });

  it('ends both rows of the same bytes, of which one is sealed and no event', async () => {
    const text = { body: Buffer.from('no event') };
    const { act, tables } = await operatorAfter([text, { ...text, seal: '' }]);
    const hash = { body_sha256: sha256(text.body) };
    const waits = () => [...tables.events.values()].map(({ waiting }) => waiting);
    expect(waits()).toEqual(['unrecognised', 'unsealed']);
    await act('dismiss', hash);
    expect(waits()).toEqual([undefined, undefined]);
  });
});

it('a dismissal of a message without a seal does not keep the genuine message out', async () => {
  const unsealed = { ...payment, seal: '' };
  const { act, order, consume, tables } = await operatorAfter([unsealed]);
  await act('dismiss', { body_sha256: sha256(payment.body) });
  await consume(unsealed);
  expect([...tables.events.values()].map(({ waiting }) => waiting)).toEqual([undefined]);
  await consume(payment);
  expect(order('A')?.status).toBe('paid');
});

describe('an admission of a conflict', () => {
  it('counts it in the order that it names, and takes its mark out of both', async () => {
    const { act, order, factsOf } = await operatorAfter([payment, sent({ id: 'p', order: 'B' })]);
    expect(order('A')?.attention).toContain('conflicting_event');
    const { body } = await act('admit', { event_id: 'p' });
    expect(body.orders.map((change: { order_id: string }) => change.order_id)).toEqual(['A', 'B']);
    for (const id of ['A', 'B']) {
      expect(order(id)).toMatchObject({ status: 'paid', events: ['p'] });
      expect(factsOf(id).some((text) => text.startsWith('["conflict"'))).toBe(false);
    }
  });

  it('needs no order for one of the same transaction, which follows it', async () => {
    const other = sent({ id: 'r', action: 'refunded', amount: '2.00' });
    const { act, order, states } = await operatorAfter([refund, other, payment]);
    const { status, body } = await act('admit', { event_id: 'r' });
    expect([status, body.orders, states('r')]).toEqual([200, [], { event: 'applied', conflict: 'applied' }]);
    expect(order('A')?.events).toEqual(['p', 'r']);
  });
});
