import { describe, expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { type Backend, setUpOperator } from './doubles/operator.ts';

const ann = 'arn:aws:iam::1:user/ann';
const sent = (fields: EventFields) => ({ body: eventBody({ order: 'A', ...fields }) });

describe.each<Backend>(['memory', 'tables'])('an erasure over %s', (backend) => {
  it('removes the bodies of an event, and keeps its lock, hash, signature, key and fact', async () => {
    const { act, consume, events, order, acts } = await setUpOperator({ backend });
    const other = sent({ id: 'p', attempt: 2 });
    await consume(sent({ id: 'p' }), other);
    const before = await events.find('live', 'p');
    const { status, body } = await act('erase', { event_id: 'p' });
    expect([status, body.changed, body.orders, body.next_cursor]).toEqual([200, true, [], null]);
    expect(body.erased).toEqual(
      before.map((row) => ({ event_id: 'p', body_sha256: row.bodySha256, bytes: row.body?.length })),
    );
    const places = body.remains.map(({ where }: { where: string }) => where).join('; ');
    for (const place of ['table events', 'table orders', 'logs', '35 days', '14 days']) {
      expect(places).toContain(place);
    }
    const fact = '["event.1","p","transaction.paid","T","100.00","USD",null]';
    const erased = { by: ann, at: '2026-11-22T09:00:00.000Z', reason: 'checked with the customer' };
    for (const { body: _, ...row } of before) {
      const kept = row.record === 'event' ? { ...row, fact } : row;
      expect(await events.getRow(row.key, row.record)).toEqual({ ...kept, erased });
    }
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['p'] });
    for (const key of ['live:event:p', 'live:order:A']) {
      expect(await acts.actsOf(key)).toMatchObject([{ act: 'erase', by: ann, eventId: 'p' }]);
    }
  });

  it('does nothing in a dry run, and nothing more when it is repeated', async () => {
    const { act, consume, events } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }));
    const before = await events.find('live', 'p');
    const dry = await act('erase', { event_id: 'p', dry_run: true });
    expect([dry.body.changed, dry.body.erased.length, await events.find('live', 'p')]).toEqual([
      true,
      1,
      before,
    ]);
    await act('erase', { event_id: 'p' });
    const after = await events.find('live', 'p');
    const again = await act('erase', { event_id: 'p' }, 'arn:aws:iam::1:user/bob');
    expect([again.status, again.body.changed, again.body.erased]).toEqual([200, false, []]);
    expect(await events.find('live', 'p')).toEqual(after);
  });

  it.each([undefined, 30])('holds through later deliveries, with a retention of %s days', async (days) => {
    const more = days === undefined ? {} : { eventRetentionDays: days };
    const { act, consume, events, order } = await setUpOperator({ backend, ...more });
    await consume(sent({ id: 'p' }));
    await act('erase', { event_id: 'p' });
    await consume(sent({ id: 'p' }), sent({ id: 'p', attempt: 2 }));
    const rows = await events.find('live', 'p');
    expect(rows.map(({ record, body }) => [record.split(':')[0], body])).toEqual([
      ['event', undefined],
      ['variant', undefined],
    ]);
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['p'], sequence: 1 });
  });

  it('of an event that waits is refused until it is judged', async () => {
    const { act, consume, row } = await setUpOperator({ backend });
    await consume(sent({ id: 'r', order: null, action: 'refunded' }));
    const { status, body } = await act('erase', { event_id: 'r' });
    expect([status, body.detail]).toEqual([
      409,
      'What waits for a person cannot be erased: "r". Admit or dismiss it first.',
    ]);
    expect((await row('r')).body).toBeDefined();
    await act('dismiss', { event_id: 'r' });
    expect((await act('erase', { event_id: 'r' })).status).toBe(200);
    expect((await row('r')).body).toBeUndefined();
    const admitted = await act('admit', { event_id: 'r', order_id: 'A' });
    expect([admitted.status, admitted.body.orders.length]).toEqual([200, 1]);
  });

  it('of a quarantined body leaves nothing to admit', async () => {
    const { act, consume, order, row } = await setUpOperator({ backend });
    const sandbox = Buffer.from(eventBody({ id: 'q', order: 'Q' }).toString().replace('false', 'true'));
    await consume({ body: sandbox });
    await act('dismiss', { event_id: 'q' });
    await act('erase', { event_id: 'q' });
    expect((await row('q', 'quarantine')).body).toBeUndefined();
    const { status, body } = await act('admit', { event_id: 'q' });
    expect([status, body.detail]).toEqual([409, expect.stringContaining('its body was erased')]);
    expect(await order('Q')).toBeUndefined();
  });

  it('removes a body that is no event', async () => {
    const { act, consume, events } = await setUpOperator({ backend });
    const sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    await consume({ body: Buffer.from('{}') });
    expect((await act('erase', { body_sha256: sha256 })).status).toBe(409);
    await act('dismiss', { body_sha256: sha256 });
    const { body } = await act('erase', { body_sha256: sha256 });
    expect(body.erased).toEqual([{ event_id: null, body_sha256: sha256, bytes: 2 }]);
    await consume({ body: Buffer.from('{}') });
    expect((await events.findUnrecognised('live', sha256))?.body).toBeUndefined();
  });

  it('of an order goes page by page, and reaches what was dismissed', async () => {
    const { act, consume, events } = await setUpOperator({ backend });
    const ids = Array.from({ length: 24 }, (_, n) => `p${String(n).padStart(2, '0')}`);
    const sandbox = Buffer.from(eventBody({ id: 'q', order: 'A' }).toString().replace('false', 'true'));
    await consume(...ids.map((id) => sent({ id, transaction: id })), { body: sandbox });
    const waiting = await act('erase', { order_id: 'A' });
    expect([waiting.status, waiting.body.detail]).toEqual([409, expect.stringContaining('"q"')]);
    await act('dismiss', { event_id: 'q' });
    const first = await act('erase', { order_id: 'A' });
    expect([first.body.erased.length, typeof first.body.next_cursor]).toEqual([20, 'string']);
    const last = await act('erase', { order_id: 'A', cursor: first.body.next_cursor });
    const erased = [...first.body.erased, ...last.body.erased].map(({ event_id: id }) => id);
    expect([erased, last.body.next_cursor]).toEqual([[...ids, 'q'], null]);
    for (const id of [...ids, 'q']) {
      for (const row of await events.find('live', id)) expect(row.body).toBeUndefined();
    }
  });

  it('of an order leaves the conflicting body of another order alone', async () => {
    const { act, consume, events } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }), sent({ id: 'p', order: 'B' }));
    await act('dismiss', { event_id: 'p' });
    const bodies = async () =>
      (await events.find('live', 'p')).map(({ orderId, body }) => [orderId, body !== undefined]).sort();
    expect((await act('erase', { order_id: 'B' })).body.erased).toHaveLength(1);
    expect(await bodies()).toEqual([
      ['A', true],
      ['B', false],
    ]);
    expect((await act('erase', { order_id: 'B' })).body).toMatchObject({ changed: false, erased: [] });
    await act('erase', { order_id: 'A' });
    expect(await bodies()).toEqual([
      ['A', false],
      ['B', false],
    ]);
  });

  it.each([
    ['an unknown event', { event_id: 'none' }, 404],
    ['an unknown body', { body_sha256: 'ab'.repeat(32) }, 404],
    ['an unknown order', { order_id: 'none' }, 404],
    ['two subjects', { event_id: 'p', order_id: 'A' }, 400],
    ['no subject', {}, 400],
    ['an event with a cursor', { event_id: 'p', cursor: 'cA' }, 400],
    ['an order with a cursor that is none', { order_id: 'A', cursor: '+' }, 400],
  ])('of %s is refused', async (_, subject, expected) => {
    const { act, consume } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }));
    expect((await act('erase', subject)).status).toBe(expected);
  });
});
