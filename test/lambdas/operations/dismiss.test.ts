import { describe, expect, it } from 'vitest';
import { bodiesOfEventMax } from '../../../lambdas/contract/limits.ts';
import { sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { ann, bob, reason, setUpOperator } from '../../doubles/operations.ts';

const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });
const payment = sent({ id: 'p', order: 'A' });
const settled = sent({ id: 'n', action: 'settled', order: 'A' });
const other = sent({ id: 'p', order: 'B' });
const days = 24 * 60 * 60;

describe('a dismissal of an event', () => {
  it('ends its wait, changes no order, and is among the acts of the event', async () => {
    const { act, consume, states, row, tables, actsAt } = setUpOperator();
    await consume(refund);
    const { status, body } = await act('dismiss', { event_id: 'r' });
    expect([status, body]).toMatchObject([200, { act: 'dismiss', changed: true, by: ann, orders: [] }]);
    expect(body.events).toMatchObject([
      {
        before: { outcome: 'unassigned', waiting: 'unassigned' },
        after: { outcome: 'unassigned', waiting: null },
      },
    ]);
    expect(states('r')).toEqual({ event: 'unassigned' });
    expect(row('r').judged).toEqual({ verdict: 'dismissed', by: ann, at: body.at, reason });
    expect(tables.orders.size).toBe(0);
    const audit = { act: 'dismiss', by: ann, at: body.at, reason, eventId: 'r' };
    expect(await actsAt('live:event:r')).toEqual([audit]);
  });

  it('stays when the event is delivered again', async () => {
    const { act, consume, everything, wait } = setUpOperator();
    await consume(refund, payment, other);
    await act('dismiss', { event_id: 'p' });
    const before = everything();
    wait(60);
    await consume(refund, payment, other);
    expect(everything()).toBe(before);
  });

  it('keeps no later fact out: its payment takes the refund along', async () => {
    const { act, consume, states, row, order } = setUpOperator();
    await consume(refund);
    await act('dismiss', { event_id: 'r' });
    await consume(payment);
    expect([states('r'), row('r').judged?.verdict]).toEqual([{ event: 'applied' }, 'dismissed']);
    expect(order('A')?.status).toBe('partially_refunded');
    const { status, body } = await act('dismiss', { event_id: 'r' });
    expect([status, body.detail]).toEqual([
      409,
      'The event "r" does not wait: its outcome is applied. There is nothing to dismiss.',
    ]);
  });

  it('is refused after an admission, and names it', async () => {
    const { act, consume } = setUpOperator();
    await consume(refund);
    await act('admit', { event_id: 'r', order_id: 'A' });
    const { status, body } = await act('dismiss', { event_id: 'r' }, { by: bob });
    expect(status).toBe(409);
    expect(body.detail).toContain(`The event "r" was admitted under the order "A" by ${ann}`);
  });

  it('is not found under an id or a hash that was never received', async () => {
    const { act, consume } = setUpOperator();
    await consume(payment);
    const hash = 'ab'.repeat(32);
    for (const fields of [
      { event_id: 'q' },
      { body_sha256: hash },
      { event_id: 'p', body_sha256: hash },
      { event_name: 'q' },
    ])
      expect((await act('dismiss', fields)).status).toBe(404);
    expect((await act('dismiss', {})).status).toBe(400);
  });
});

describe('a dismissal of a body', () => {
  it('in quarantine ends its wait, and is among the acts of the order that it names', async () => {
    const { act, consume, states, actsAt } = setUpOperator();
    await consume(sent({ id: 'q', order: 'A', sandbox: true }));
    await act('dismiss', { event_id: 'q' });
    expect(states('q')).toEqual({ quarantine: 'quarantined' });
    for (const key of ['live:event:q', 'live:order:A'])
      expect(await actsAt(key)).toMatchObject([{ act: 'dismiss', eventId: 'q' }]);
  });

  it('under an id with more bodies than a repair handles ends its wait, with its hash', async () => {
    const { act, consume, rowsOf, factsOf } = setUpOperator();
    await consume(payment);
    for (let n = 0; n < bodiesOfEventMax + 1; n += 1) await consume(sent({ id: 'p', order: `B${n}` }));
    const before = factsOf('B50');
    const last = sha256(sent({ id: 'p', order: 'B50' }).body);
    const first = await act('dismiss', { event_id: 'p', body_sha256: last });
    expect([first.status, first.body.changed]).toEqual([200, true]);
    const dismissed = rowsOf('p').filter(({ judged }) => judged !== undefined);
    expect(dismissed.map(({ bodySha256, waiting }) => [bodySha256, waiting])).toEqual([[last, undefined]]);
    expect(factsOf('B50')).toEqual(before);
    expect((await act('dismiss', { event_id: 'p' })).status).toBe(400);
  });

  it('that is no event ends its wait', async () => {
    const { act, consume, tables, actsAt } = setUpOperator();
    const body_sha256 = sha256(Buffer.from('junk'));
    await consume({ body: Buffer.from('junk') });
    const first = await act('dismiss', { body_sha256 });
    expect(first.body).toMatchObject({ changed: true, events: [{ event_id: null, body_sha256 }] });
    const [row] = tables.events.values();
    expect([row?.waiting, row?.judged?.by]).toEqual([undefined, ann]);
    expect(await actsAt(row?.key ?? '')).toMatchObject([{ act: 'dismiss', bodySha256: body_sha256 }]);
  });
});

describe('a dismissal of the name of an event', () => {
  const event_name = 'transaction.settled';

  it('ends its wait for good, and is stored once', async () => {
    const { act, consume, tables, actsAt } = setUpOperator();
    await consume(settled);
    const { body } = await act('dismiss', { event_name });
    expect(body).toMatchObject({
      changed: true,
      events: [
        {
          ...{ event_id: 'n', body_sha256: null },
          before: { outcome: null, waiting: 'event_name' },
          after: { outcome: null, waiting: null },
        },
      ],
    });
    const key = `live:name:${event_name}`;
    expect(tables.names.get(key)).not.toHaveProperty('waiting');
    expect(await actsAt(key)).toMatchObject([{ act: 'dismiss', eventName: event_name }]);
  });

  it('is refused when a replay has ended its wait', async () => {
    const { act, consume, setMeanings } = setUpOperator();
    await consume(settled);
    setMeanings({ [event_name]: 'paid' });
    await act('replay', {});
    const { status, body } = await act('dismiss', { event_name });
    expect([status, body.detail.includes('does not wait')]).toEqual([409, true]);
  });
});

describe('with a retention, the body of what was dismissed', () => {
  const junk = Buffer.from('junk');
  it.each<[string, { readonly body: Uint8Array }[], object]>([
    ['a refund without an order', [refund], { event_id: 'r' }],
    ['a quarantined event', [sent({ id: 'r', order: 'A', sandbox: true })], { event_id: 'r' }],
    ['a conflict', [payment, other], { event_id: 'p' }],
    ['a body that is no event', [{ body: junk }], { body_sha256: sha256(junk) }],
  ])('expires that long after its dismissal: %s', async (_, messages, subject) => {
    const { act, consume, tables } = setUpOperator({ eventRetentionDays: 30 });
    await consume(...messages);
    await act('dismiss', subject);
    const row = [...tables.events.values()].find(({ judged }) => judged !== undefined);
    const expiresAt = Math.floor(Date.parse('2026-11-21T11:00:01.000Z') / 1000) + 30 * days;
    expect([row?.body !== undefined, row?.bodyRow]).toEqual([true, { expiresAt }]);
  });
});
