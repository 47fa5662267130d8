import { describe, expect, it, vi } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { type Backend, setUpOperator } from './doubles/operator.ts';

const ann = 'arn:aws:iam::1:user/ann';
const bob = 'arn:aws:iam::1:user/bob';
const sent = (fields: EventFields) => ({ body: eventBody(fields) });
const refund = sent({ id: 'r', action: 'refunded' });
const quarantined = sent({ id: 'q', order: 'Q', sandbox: true });

describe.each<Backend>(['memory', 'tables'])('a dismissal over %s', (backend) => {
  it('ends the wait of an event, and no order changes', async () => {
    const { act, consume, rows, row, acts } = await setUpOperator({ backend });
    await consume(refund);
    const { status, body } = await act('dismiss', { event_id: 'r' });
    expect([status, body.changed, body.by, body.orders]).toEqual([200, true, ann, []]);
    expect(body.events).toEqual([
      {
        event_id: 'r',
        body_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        before: { outcome: 'unassigned', waiting: 'unassigned' },
        after: { outcome: 'unassigned', waiting: null },
      },
    ]);
    expect(await rows('r')).toEqual({ event: ['unassigned', null] });
    const judged = { verdict: 'dismissed', by: ann, reason: 'checked with the customer' };
    expect((await row('r')).judged).toMatchObject(judged);
    expect(await acts.actsOf('live:event:r')).toMatchObject([{ act: 'dismiss', by: ann, eventId: 'r' }]);
  });

  it('does nothing in a dry run, and nothing more when it is repeated', async () => {
    const { act, consume, row, acts } = await setUpOperator({ backend });
    await consume(refund);
    const before = await row('r');
    const dry = await act('dismiss', { event_id: 'r', dry_run: true });
    expect([dry.body.changed, await row('r'), await acts.actsOf('live:event:r')]).toEqual([true, before, []]);
    const first = await act('dismiss', { event_id: 'r' }, ann);
    const again = await act('dismiss', { event_id: 'r' }, bob);
    expect(again.body).toEqual({ ...first.body, changed: false, events: [] });
    expect(await acts.actsOf('live:event:r')).toHaveLength(1);
  });

  it('keeps no later fact out: the refund joins its payment', async () => {
    const { act, consume, order, rows } = await setUpOperator({ backend });
    await consume(refund);
    await act('dismiss', { event_id: 'r' });
    await consume(sent({ id: 'p', order: 'A' }));
    expect(await order('A')).toMatchObject({ status: 'refunded', events: ['p', 'r'] });
    expect(await rows('r')).toEqual({ event: ['applied', null] });
    const { status, body } = await act('admit', { event_id: 'r', order_id: 'B' });
    expect([status, await order('B')]).toEqual([409, undefined]);
    expect(body.detail).toContain('it is applied to the order "A"');
  });

  it('that an admission follows: its dry run and the run show that the event did not wait before', async () => {
    const { act, consume } = await setUpOperator({ backend });
    await consume({ body: eventBody({ id: 'r', action: 'refunded' }) });
    await act('dismiss', { event_id: 'r' });
    const fields = { event_id: 'r', order_id: 'A' };
    const dry = await act('admit', { ...fields, dry_run: true });
    const run = await act('admit', fields);
    expect(dry.body.events).toMatchObject([{ before: { outcome: 'unassigned', waiting: null } }]);
    expect(run.body.events).toEqual(dry.body.events);
  });

  it('can be followed by an admission, and an admission not by a dismissal', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(refund);
    await act('dismiss', { event_id: 'r' });
    expect((await act('admit', { event_id: 'r', order_id: 'A' })).status).toBe(200);
    expect((await order('A'))?.events).toEqual(['r']);
    const { status, body } = await act('dismiss', { event_id: 'r' }, bob);
    expect(status).toBe(409);
    expect(body.detail).toContain(`was admitted under the order "A" by ${ann} at 2026-11-22T09:00:0`);
  });

  it('judges a conflict, a quarantined body, a body that is no event, and a name', async () => {
    const { act, consume, rows, waiting } = await setUpOperator({ backend });
    await consume(sent({ id: 'e', order: 'A' }), quarantined, { body: Buffer.from('{}') });
    await consume(
      sent({ id: 'e', order: 'A', amount: '1.00' }),
      sent({ id: 'n', action: 'settled', order: 'A' }),
    );
    const sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    for (const subject of [
      { event_id: 'e' },
      { event_id: 'q' },
      { body_sha256: sha256 },
      { event_name: 'transaction.settled' },
    ]) {
      const { status, body } = await act('dismiss', subject);
      expect([subject, status, body.changed]).toEqual([subject, 200, true]);
      const again = await act('dismiss', subject);
      expect([again.status, again.body.changed]).toEqual([200, false]);
    }
    expect([await rows('e'), await rows('q')]).toEqual([
      { event: ['applied', null], conflict: ['conflict', null] },
      { quarantine: ['quarantined', null] },
    ]);
    for (const kind of ['conflict', 'quarantined', 'unrecognised'] as const) {
      expect(await waiting.count('live', kind)).toBe(0);
    }
  });

  it('of a name shows that it no longer waits, keeps the first decision, and is stored once', async () => {
    const { act, consume, judgements, acts } = await setUpOperator({ backend });
    const judged = vi.spyOn(judgements, 'judge');
    await consume(sent({ id: 'n', action: 'settled', order: 'A' }));
    const name = { event_name: 'transaction.settled' };
    const { body } = await act('dismiss', name);
    expect(body.events).toEqual([
      {
        event_id: 'n',
        body_sha256: null,
        before: { outcome: null, waiting: 'event_name' },
        after: { outcome: null, waiting: null },
      },
    ]);
    const again = await act('dismiss', { ...name, reason: 'later' }, bob);
    const first = { by: ann, at: '2026-11-22T09:00:00.000Z', reason: 'checked with the customer' };
    expect(again.body).toMatchObject({ ...first, changed: false, events: [] });
    const state = await judgements.getEventName('live', 'transaction.settled');
    expect([state?.waiting, state?.judged]).toEqual([undefined, { verdict: 'dismissed', ...first }]);
    expect(judged).toHaveBeenCalledOnce();
    expect(await acts.actsOf('live:name:transaction.settled')).toEqual([
      { act: 'dismiss', eventName: 'transaction.settled', ...first },
    ]);
  });

  it('names what waits in its audit: the event with its order, or the hash of a body that is none', async () => {
    const { act, consume, acts, row } = await setUpOperator({ backend });
    await consume(quarantined, { body: Buffer.from('{}') }, refund);
    const first = { act: 'dismiss', by: ann, reason: 'checked with the customer' };
    const { bodySha256 } = await row('q', 'quarantine');
    await act('dismiss', { event_id: 'q' });
    const ofQ = { ...first, at: '2026-11-22T09:00:00.000Z', bodySha256, eventId: 'q', orderId: 'Q' };
    expect(await acts.actsOf('live:order:Q')).toStrictEqual([ofQ]);
    expect(await acts.actsOf('live:event:q')).toStrictEqual([ofQ]);
    const none = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    await act('dismiss', { body_sha256: none });
    expect(await acts.actsOf(`live:body:${none}`)).toStrictEqual([
      { ...first, at: expect.stringMatching(/^2026-11-22T09:00:0/), bodySha256: none },
    ]);
  });

  const hash = 'ab'.repeat(32);
  const unwaiting = 'The event "p" does not wait: its outcome is applied. There is nothing to dismiss.';
  it.each([
    ['an applied event', { event_id: 'p' }, 409, unwaiting],
    ['an unknown event', { event_id: 'none' }, 404, 'No live event has the id "none".'],
    ['an unknown body', { body_sha256: hash }, 404, `No live body that is no event has the SHA-256 ${hash}.`],
    [
      'an unknown name',
      { event_name: 'none' },
      404,
      'No live event has had the name "none" without a meaning.',
    ],
    [
      'another body of an event',
      { event_id: 'p', body_sha256: hash },
      404,
      `No body of the live event "p" has the SHA-256 ${hash}.`,
    ],
    ['nothing', {}, 400, 'The field event_id is missing; expected an event id, or a body_sha256.'],
  ])('of %s is refused with %j', async (_, subject, expected, detail) => {
    const { act, consume } = await setUpOperator({ backend });
    await consume(sent({ id: 'p', order: 'A' }));
    const { status, body } = await act('dismiss', subject);
    expect([status, body.detail]).toEqual([expected, detail]);
  });
});

describe('a dismissal while another operator acts', () => {
  type Parts = Parameters<NonNullable<NonNullable<Parameters<typeof setUpOperator>[0]>['parts']>>[0];
  /** Something happens between the reading of the row and its judgement, the first time or each time. */
  const meanwhile =
    (happens: (parts: Parts) => Promise<unknown>, isOnce = true) =>
    (parts: Parts) => {
      let calls = 0;
      const judge: Parts['judgements']['judge'] = async (change) => {
        calls += 1;
        if (calls === 1 || !isOnce) await happens(parts);
        return parts.judgements.judge(change);
      };
      return { judgements: { ...parts.judgements, judge } };
    };
  const other = { verdict: 'dismissed', by: bob, at: '2026-11-22T08:59:00.000Z', reason: 'first' } as const;

  it('finds the event applied when its payment came first', async () => {
    const operator = await setUpOperator({
      parts: meanwhile(() => operator.consume(sent({ id: 'p', order: 'A' }))),
    });
    const { act, consume, row } = operator;
    await consume(refund);
    const { status, body } = await act('dismiss', { event_id: 'r' });
    expect([status, body.detail]).toEqual([
      409,
      'The event "r" does not wait: its outcome is applied. There is nothing to dismiss.',
    ]);
    expect((await row('r')).judged).toBeUndefined();
  });

  it('leaves the decision to the operator who dismissed the name first', async () => {
    const row = { key: 'live:name:transaction.settled', record: 'event_name', mode: 'live' } as const;
    const { act, consume } = await setUpOperator({
      parts: meanwhile(({ judgements }) =>
        judgements.judge({ row, expected: {}, judged: other, waiting: null }),
      ),
    });
    await consume(sent({ id: 'n', action: 'settled', order: 'A' }));
    const { body } = await act('dismiss', { event_name: 'transaction.settled' });
    const { verdict: _, ...decision } = other;
    expect(body).toMatchObject({ ...decision, changed: false });
  });

  it.each([
    ['dismiss', { event_id: 'r' }],
    ['admit', { event_id: 'r', order_id: 'A' }],
    ['dismiss', { event_name: 'transaction.settled' }],
  ] as const)('gives up after five attempts to %s %j', async (name, subject) => {
    let attempts = 0;
    const { act, consume, rows } = await setUpOperator({
      parts: ({ judgements }) => ({
        judgements: {
          ...judgements,
          async judge() {
            attempts += 1;
            return false;
          },
        },
      }),
    });
    await consume(refund, sent({ id: 'n', action: 'settled', order: 'A' }));
    const { status, body } = await act(name, subject);
    expect([status, body.detail, attempts]).toEqual([
      409,
      'The event changes while it is judged. Look at it again, and repeat the act if it still waits.',
      5,
    ]);
    expect(await rows('r')).toEqual({ event: ['unassigned', 'unassigned'] });
  });

  it('of an event that is being admitted is refused, and names who admits it', async () => {
    const { act, consume } = await setUpOperator({
      parts: ({ transactions }) => ({
        transactions: { ...transactions, join: () => Promise.reject(new Error('dead')) },
      }),
    });
    await consume(refund);
    expect((await act('admit', { event_id: 'r', order_id: 'A' })).status).toBe(500);
    const { status, body } = await act('dismiss', { event_id: 'r' }, bob);
    expect([status, body.detail]).toEqual([
      409,
      `The event "r" is being admitted under the order "A" by ${ann} at 2026-11-22T09:00:00.000Z ` +
        '("checked with the customer"). If that was interrupted, repeat the same admission to complete it.',
    ]);
  });

  it('of a name that does not wait is refused', async () => {
    const { act } = await setUpOperator({
      parts: ({ judgements }) => ({
        judgements: {
          ...judgements,
          getEventName: async (mode, eventName) => {
            return { mode, eventName, eventId: 'n', recordedAt: '2026-11-21T10:00:01.000Z' };
          },
        },
      }),
    });
    const { status, body } = await act('dismiss', { event_name: 'transaction.settled' });
    expect([status, body.detail]).toEqual([
      409,
      'The event name "transaction.settled" does not wait. There is nothing to dismiss.',
    ]);
  });
});

it('without a retention, a dismissal stores no body in a row of its own', async () => {
  const { act, consume, row, bodyExpiry } = await setUpOperator();
  await consume(refund);
  await act('dismiss', { event_id: 'r' });
  const { key, bodySha256 } = await row('r');
  expect(await bodyExpiry(key, bodySha256)).toBeUndefined();
});

it('with a retention, a dismissal of a row without its body stores none', async () => {
  const { act, consume, events, row, bodyExpiry } = await setUpOperator({ eventRetentionDays: 30 });
  await consume(refund);
  const { body: _, ...bodiless } = { ...(await row('r')), key: 'live:event:old', eventId: 'old' };
  await events.put(bodiless);
  expect((await act('dismiss', { event_id: 'old' })).status).toBe(200);
  expect(await bodyExpiry(bodiless.key, bodiless.bodySha256)).toBeUndefined();
});

describe('an admission that meets a payment of another order', () => {
  /** The other order has joined the transaction, and its merge is still to come. */
  const setUp = () =>
    setUpOperator({
      parts: ({ transactions }) => ({
        transactions: { ...transactions, join: async () => ({ orderIds: ['X'], facts: [] }) },
      }),
    });

  it('lets the event wait on without a judgement', async () => {
    const { act, consume, row } = await setUp();
    await consume(refund);
    expect((await act('admit', { event_id: 'r', order_id: 'A' })).status).toBe(409);
    const { waiting, judged } = await row('r');
    expect([waiting, judged]).toEqual(['unassigned', undefined]);
  });

  it('leaves a dismissed event dismissed, and it does not wait', async () => {
    const { act, consume, row } = await setUp();
    await consume(refund);
    await act('dismiss', { event_id: 'r' });
    const { judged } = await row('r');
    expect((await act('admit', { event_id: 'r', order_id: 'A' })).status).toBe(409);
    const { waiting, judged: after } = await row('r');
    expect([judged?.verdict, waiting, after]).toEqual(['dismissed', undefined, judged]);
  });
});

it('a dismissal of what was admitted under no order names none', async () => {
  const { act, consume, row } = await setUpOperator();
  await consume(refund, sent({ id: 'r', action: 'refunded', amount: '7.00' }));
  const subject = { event_id: 'r', body_sha256: (await row('r', 'conflict')).bodySha256 };
  await act('admit', subject);
  const { status, body } = await act('dismiss', subject);
  expect([status, body.detail]).toEqual([
    409,
    `The event "r" was admitted by ${ann} at 2026-11-22T09:00:00.000Z ("checked with the customer"). ` +
      'An admission stays; the order shows what it changed.',
  ]);
});

describe.each<Backend>(['memory', 'tables'])('with a retention, a judged body over %s', (backend) => {
  const days30 = Date.parse('2026-11-22T09:00:00.000Z') / 1000 + 30 * 24 * 60 * 60;

  it('expires, and its row does not', async () => {
    const { act, consume, row, events, bodyExpiry } = await setUpOperator({
      backend,
      eventRetentionDays: 30,
    });
    await consume(quarantined, refund);
    for (const id of ['q', 'r']) {
      expect((await act('dismiss', { event_id: id })).status).toBe(200);
      const { key, record, bodySha256, expiresAt, body } = await row(id, '');
      expect(await bodyExpiry(key, bodySha256)).toBeGreaterThanOrEqual(days30);
      expect([expiresAt, Buffer.from(body ?? []).length > 0]).toEqual([undefined, true]);
      expect(await events.getRow(key, record)).not.toHaveProperty('body');
    }
  });

  it('of a conflict expires, and leaves the body of the event that waits, and its own fact', async () => {
    const { act, consume, row, events, bodyExpiry } = await setUpOperator({
      backend,
      eventRetentionDays: 30,
    });
    await consume(refund);
    await consume(sent({ id: 'r', action: 'refunded', amount: '7.00' }));
    const [own, { key, record, bodySha256 }] = [await row('r'), await row('r', 'conflict')];
    expect((await act('dismiss', { event_id: 'r', body_sha256: bodySha256 })).status).toBe(200);
    expect(await bodyExpiry(key, bodySha256)).toBeGreaterThanOrEqual(days30);
    expect(await bodyExpiry(key, own.bodySha256)).toBeNull();
    const fact = '["event.1","r","transaction.refunded","T","7.00","USD",null]';
    expect((await events.getRow(key, record))?.fact).toBe(fact);
  });

  it('that is no event expires', async () => {
    const { act, consume, bodyExpiry } = await setUpOperator({ backend, eventRetentionDays: 30 });
    const hash = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    await consume({ body: Buffer.from('{}') });
    expect((await act('dismiss', { body_sha256: hash })).status).toBe(200);
    expect(await bodyExpiry(`live:body:${hash}`, hash)).toBeGreaterThanOrEqual(days30);
  });

  it('that an admission applied shows the state after it', async () => {
    const { act, consume } = await setUpOperator({ backend, eventRetentionDays: 30 });
    await consume(refund);
    const { body } = await act('admit', { event_id: 'r', order_id: 'A' });
    expect(body.events).toMatchObject([{ after: { outcome: 'applied', waiting: null } }]);
  });

  it('is kept while its event waits again', async () => {
    const { act, consume, row, bodyExpiry } = await setUpOperator({ backend, eventRetentionDays: 30 });
    await consume(sent({ id: 'q', order: null, sandbox: true }));
    await act('dismiss', { event_id: 'q' });
    const { key, bodySha256 } = await row('q', 'quarantine');
    await act('admit', { event_id: 'q' });
    expect([(await row('q')).waiting, await bodyExpiry(key, bodySha256)]).toEqual(['unassigned', null]);
    await act('admit', { event_id: 'q', order_id: 'A' });
    expect(await bodyExpiry(key, bodySha256)).toBeGreaterThanOrEqual(days30);
  });
});
