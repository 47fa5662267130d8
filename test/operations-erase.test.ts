import { describe, expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { variants } from './doubles/operations.ts';
import { type Backend, setUpOperator } from './doubles/operator.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { dyingAfter } from './doubles/turns.ts';

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
    const { act, consume, events, acts } = await setUpOperator({ backend });
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
    for (const subject of [{ event_id: 'p' }, { order_id: 'A' }]) {
      const again = await act('erase', subject, 'arn:aws:iam::1:user/bob');
      expect([again.status, again.body.changed, again.body.erased]).toEqual([200, false, []]);
    }
    expect(await events.find('live', 'p')).toEqual(after);
    for (const key of ['live:event:p', 'live:order:A'])
      expect(await acts.actsOf(key)).toMatchObject([{ by: ann, eventId: 'p' }]);
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
    await consume(sent({ id: 'q', sandbox: true }));
    await act('dismiss', { event_id: 'q' });
    await act('erase', { event_id: 'q' });
    expect((await row('q', 'quarantine')).body).toBeUndefined();
    const { status, body } = await act('admit', { event_id: 'q' });
    expect([status, body.detail]).toEqual([409, expect.stringContaining('its body was erased')]);
    expect(await order('Q')).toBeUndefined();
  });

  it('removes a body that is no event', async () => {
    const { act, consume, events, acts, row } = await setUpOperator({ backend });
    const sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    await consume({ body: Buffer.from('{}') }, sent({ id: 'undefined' }));
    expect((await act('erase', { body_sha256: sha256 })).status).toBe(409);
    await act('dismiss', { body_sha256: sha256 });
    const { body } = await act('erase', { body_sha256: sha256 });
    expect(body.erased).toEqual([{ event_id: null, body_sha256: sha256, bytes: 2 }]);
    const [, audited] = await acts.actsOf(`live:body:${sha256}`);
    expect(audited).toStrictEqual({
      ...{ act: 'erase', by: ann, at: body.at, reason: 'checked with the customer', bodySha256: sha256 },
    });
    expect((await row('undefined')).body).toBeDefined();
    await consume({ body: Buffer.from('{}') });
    expect((await events.findUnrecognised('live', sha256))?.body).toBeUndefined();
  });

  it('of an order goes page by page, and reaches what was dismissed', async () => {
    const { act, consume, events } = await setUpOperator({ backend });
    const ids = Array.from({ length: 24 }, (_, n) => `p${String(n).padStart(2, '0')}`);
    await consume(...ids.map((id) => sent({ id, transaction: id })), sent({ id: 'q', sandbox: true }));
    const waiting = await act('erase', { order_id: 'A' });
    expect([waiting.status, waiting.body.detail]).toEqual([409, expect.stringContaining('"q"')]);
    await act('dismiss', { event_id: 'q' });
    const walked: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null && walked.length < 100; ) {
      const { body } = await act('erase', { order_id: 'A', dry_run: true, ...(cursor && { cursor }) });
      walked.push(...body.erased.map(({ event_id: id }: { event_id: string }) => id));
      cursor = body.next_cursor;
    }
    expect(walked).toEqual([...ids, 'q']);
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

  const hash = 'ab'.repeat(32);
  it.each([
    ['an unknown event', { event_id: 'none' }, 'No live event has the id "none".'],
    ['an unknown body', { body_sha256: hash }, `No live body that is no event has the SHA-256 ${hash}.`],
    ['an unknown order', { order_id: 'none' }, 'No live event has named the order "none".'],
    [
      'two subjects',
      { event_id: 'p', order_id: 'A' },
      'The field event_id is "p"; expected one of event_id, order_id and body_sha256.',
    ],
    ['no subject', {}, 'The field event_id is missing; expected one of event_id, order_id and body_sha256.'],
    [
      'an event with a cursor',
      { event_id: 'p', cursor: 'cA' },
      'The field cursor is "cA"; expected no cursor, which only an order_id has.',
    ],
    [
      'an order with a cursor that is none',
      { order_id: 'A', cursor: '+' },
      'The field cursor is "+"; expected the unchanged next_cursor of an earlier response.',
    ],
  ])('of %s is refused', async (_, subject, detail) => {
    const { act, consume } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }));
    const { status, body } = await act('erase', subject);
    expect([status, body.detail]).toEqual([detail.startsWith('No') ? 404 : 400, detail]);
    expect(body.parameter).toBe(detail.startsWith('No') ? undefined : detail.split(' ')[2]);
  });
});

describe('an erasure', () => {
  /** The records that are erased, in their order. */
  async function watched(first = async () => {}, afterOwn = async () => {}) {
    const erased: string[] = [];
    const operator = await setUpOperator({
      parts: ({ events }) => ({
        events: {
          ...events,
          async eraseBody(body) {
            if (erased.length === 0) await first();
            erased.push(body.record.split(':')[0] ?? '');
            await events.eraseBody(body);
            if (body.record === 'event') await afterOwn();
          },
        },
      }),
    });
    return { ...operator, erased };
  }

  it('of an order is among the acts of the order, also when a part of it was erased before', async () => {
    const { act, consume, acts } = await setUpOperator();
    await consume(sent({ id: 'p' }), sent({ id: 'q' }));
    await act('erase', { event_id: 'p' });
    const { body } = await act('erase', { order_id: 'A' });
    expect([body.changed, body.erased.map((one: { event_id: string }) => one.event_id)]).toEqual([
      true,
      ['q'],
    ]);
    const decision = { by: ann, at: body.at, reason: 'checked with the customer' };
    expect(await acts.actsOf('live:order:A')).toContainEqual({ act: 'erase', ...decision, orderId: 'A' });
    expect(await acts.actsOf('live:event:q')).toStrictEqual([{ act: 'erase', ...decision, eventId: 'q' }]);
  });

  it('of an order reaches an event of it that was only dismissed', async () => {
    const { act, consume, row } = await setUpOperator();
    await consume(sent({ id: 'q', order: 'Q', sandbox: true }));
    await act('dismiss', { event_id: 'q' });
    expect((await act('erase', { order_id: 'Q' })).body.erased).toHaveLength(1);
    expect((await row('q', 'quarantine')).body).toBeUndefined();
  });

  it('of an order reaches a body of its event that names no order', async () => {
    const { act, consume } = await setUpOperator();
    await consume(sent({ id: 'p' }), sent({ id: 'p', order: null }));
    await act('dismiss', { event_id: 'p' });
    expect((await act('erase', { order_id: 'A' })).body.erased).toHaveLength(2);
  });

  it('keeps the fact of a conflict that was dismissed, which can still be admitted', async () => {
    const { act, consume, row, order } = await setUpOperator();
    await consume(sent({ id: 'p' }), sent({ id: 'p', order: 'B', transaction: 'U' }));
    await act('dismiss', { event_id: 'p' });
    await act('erase', { event_id: 'p' });
    const { bodySha256, fact, body } = await row('p', 'conflict');
    expect([fact, body]).toEqual(['["event.1","p","transaction.paid","U","100.00","USD",null]', undefined]);
    await act('admit', { event_id: 'p', body_sha256: bodySha256 });
    expect(await order('B')).toMatchObject({ status: 'paid' });
  });

  it('of an order leaves out events whose rows of 0.2.0 have expired', async () => {
    const { act, consume } = await setUpOperator({
      parts: ({ events }) => ({
        events: { ...events, find: async (mode, id) => (id === 'p' ? [] : events.find(mode, id)) },
      }),
    });
    await consume(sent({ id: 'p' }), sent({ id: 'q' }));
    const { status, body } = await act('erase', { order_id: 'A' });
    expect([status, body.erased.map((one: { event_id: string }) => one.event_id)]).toEqual([200, ['q']]);
  });

  it('names up to twenty events that wait', async () => {
    const { act, consume } = await setUpOperator();
    const ids = Array.from({ length: 21 }, (_, n) => `q${n + 10}`);
    await consume(...ids.map((id) => sent({ id, sandbox: true })));
    expect((await act('erase', { order_id: 'A' })).body.detail).toMatch(
      /^What waits for a person cannot be erased: ("q\d\d", ){19}"q\d\d"\. Admit or dismiss it first\.$/,
    );
  });

  it('is refused while an admission of the event is under way', async () => {
    const { act, consume, row } = await setUpOperator({
      parts: ({ transactions }) => ({
        transactions: { ...transactions, join: () => Promise.reject(new Error('dead')) },
      }),
    });
    await consume(sent({ id: 'r', order: null, action: 'refunded' }));
    expect((await act('admit', { event_id: 'r', order_id: 'A' })).status).toBe(500);
    expect((await act('erase', { event_id: 'r' })).status).toBe(409);
    expect((await row('r')).body).toBeDefined();
  });

  it('of an event with 300 bodies is refused, and so is that of its order', async () => {
    const { act, consume, events, row } = await setUpOperator();
    await consume(sent({ id: 'p' }), sent({ id: 'q' }));
    const own = await row('p');
    for (const variant of variants(own, 298)) await events.put(variant);
    expect((await act('erase', { event_id: 'p', dry_run: true })).body.erased).toHaveLength(299);
    for (const variant of variants(own, 299)) await events.put(variant);
    const detail =
      'The event "p" has 300 bodies or more, and one request erases fewer: nothing was erased. ' +
      'Remove body and body_encoding from its rows in the table events.';
    for (const subject of [{ event_id: 'p' }, { order_id: 'A' }]) {
      const { status, body } = await act('erase', subject);
      expect([status, body.detail]).toEqual([409, detail]);
    }
    expect((await row('q')).body).toBeDefined();
  });

  it('changes a row whose body has expired, and lists no body of it', async () => {
    const { act, consume, events, row } = await setUpOperator();
    await consume(sent({ id: 'p' }));
    const { body: _, ...expired } = await row('p');
    await events.put({ ...expired, key: 'live:event:old', eventId: 'old' });
    const { body } = await act('erase', { event_id: 'old' });
    expect([body.changed, body.erased]).toEqual([true, []]);
  });

  it("begins with the event's own row, and reaches a body that arrives before that is erased", async () => {
    const { act, consume, events, erased } = await watched(async () => {
      await consume(sent({ id: 'p', attempt: 2 }), sent({ id: 'p', order: 'B' }));
    });
    await consume(sent({ id: 'p' }));
    const { body } = await act('erase', { event_id: 'p' });
    expect([body.erased.length, erased.slice(0, 2)]).toEqual([3, ['body', 'event']]);
    for (const row of await events.find('live', 'p'))
      expect([row.record, row.body]).toEqual([row.record, undefined]);
  });

  it('writes nothing to the row of a body that arrives after it, which is stored without the body', async () => {
    const { act, consume, rows, erased } = await watched(undefined, () =>
      consume(sent({ id: 'p', attempt: 2 })),
    );
    await consume(sent({ id: 'p' }));
    await act('erase', { event_id: 'p' });
    expect(await rows('p')).toHaveProperty('variant');
    expect(erased).toEqual(['body', 'event']);
  });

  it("begins with the event's own row, and names who began it, also when another body came first", async () => {
    const crossed = Buffer.from(eventBody({ id: 'p', order: 'A' }).toString().replace('false', 'true'));
    let status = 0;
    for (let at = 0; at < 100 && status !== 200; at += 1) {
      const tables = sharedTables();
      await tables.consume({ body: crossed });
      await tables.act('dismiss', { event_id: 'p' });
      await tables.consume(sent({ id: 'p' }));
      const gate = dyingAfter(at)(async () => {});
      ({ status } = await tables.act('erase', { event_id: 'p' }, 'ann', gate));
      const rows = () => [...tables.events.values()];
      const begun = rows().filter(({ erased }) => erased !== undefined);
      if (begun.length === 1) expect(begun[0]?.record).toBe('event');
      await tables.act('erase', { event_id: 'p' }, 'bob');
      const by = begun.length === 0 ? 'bob' : 'ann';
      expect(rows().find(({ record }) => record === 'event')?.erased?.by).toBe(by);
      expect(tables.acts.get('live:event:p')?.filter(({ act }) => act === 'erase')).toMatchObject([{ by }]);
    }
    expect(status).toBe(200);
  });

  it('of an order leaves alone an event that it shares with another order, which has it', async () => {
    const { act, consume, row } = await setUpOperator();
    await consume(sent({ id: 'p' }), sent({ id: 'q', order: 'B' }));
    await consume(sent({ id: 'r', order: null, action: 'refunded' }));
    const { status, body } = await act('erase', { order_id: 'B' });
    expect([status, body.erased.map((one: { event_id: string }) => one.event_id)]).toEqual([200, ['q']]);
    expect((await row('r')).body).toBeDefined();
  });

  it('of an order leaves a body alone that arrives meanwhile for another order', async () => {
    const { act, consume, row, erased } = await watched(() => consume(sent({ id: 'p', order: 'B' })));
    await consume(sent({ id: 'p' }));
    await act('erase', { order_id: 'A' });
    expect([(await row('p', 'conflict')).body === undefined, erased]).toEqual([false, ['body', 'event']]);
  });
});
