import { describe, expect, it } from 'vitest';
import { sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { ann, reason, setUpOperator } from '../../doubles/operations.ts';

const payment = sent({ id: 'p', order: 'A' });
const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });
const other = sent({ id: 'p', order: 'B', transaction: 'U' });

describe.each([undefined, 30])('with bodies that are kept for %j days, an erasure', (eventRetentionDays) => {
  const setUp = () => setUpOperator({ eventRetentionDays });

  it('of an event removes its body, and keeps its lock, reading, provenance and fact', async () => {
    const { act, consume, row, order, actsAt } = setUp();
    await consume(payment);
    const { body: bytes, bodyRow: _, version, ...rest } = row('p');
    const before = order('A');
    const { status, body } = await act('erase', { event_id: 'p' });
    expect([status, body]).toMatchObject([
      200,
      { act: 'erase', changed: true, events: [], orders: [], next_cursor: null },
    ]);
    expect(body.erased).toEqual([{ event_id: 'p', body_sha256: rest.bodySha256, bytes: bytes?.length }]);
    const erased = { by: ann, at: body.at, reason };
    expect(row('p')).toEqual({ ...rest, erased, version: version + 1 });
    expect(order('A')).toEqual(before);
    expect(await actsAt('live:event:p')).toEqual([{ act: 'erase', ...erased, eventId: 'p' }]);
  });

  it('stays when the event is delivered again, in the same or in other bytes', async () => {
    const { act, consume, everything, wait } = setUp();
    await consume(payment);
    await act('erase', { event_id: 'p' });
    const before = everything();
    wait(60);
    await consume(payment, sent({ id: 'p', order: 'A', attempt: 2 }));
    expect(everything()).toBe(before);
  });

  it('of an event that waits is refused until it is judged', async () => {
    const { act, consume, row } = setUp();
    await consume(refund);
    const { status, body } = await act('erase', { event_id: 'r' });
    const detail = 'What waits for a person cannot be erased: "r". Admit or dismiss it first.';
    expect([status, body.detail]).toEqual([409, detail]);
    await act('dismiss', { event_id: 'r' });
    expect((await act('erase', { event_id: 'r' })).body.erased).toHaveLength(1);
    expect(row('r').body).toBeUndefined();
  });

  it('of an event with a dismissed conflict removes both bodies', async () => {
    const { act, consume, rowsOf } = setUp();
    await consume(payment, other);
    await act('dismiss', { event_id: 'p' });
    const { body } = await act('erase', { event_id: 'p' });
    expect(body.erased.map((one: { body_sha256: string }) => one.body_sha256).toSorted()).toEqual(
      [payment, other].map(({ body: bytes }) => sha256(bytes)).toSorted(),
    );
    expect(rowsOf('p').every((row) => row.body === undefined && row.erased !== undefined)).toBe(true);
  });

  it('of a body that is no event removes it once it was judged', async () => {
    const { act, consume, tables } = setUp();
    const junk = Buffer.from('junk');
    const body_sha256 = sha256(junk);
    await consume({ body: junk });
    expect((await act('erase', { body_sha256 })).status).toBe(409);
    await act('dismiss', { body_sha256 });
    const { body } = await act('erase', { body_sha256 });
    expect(body).toMatchObject({ changed: true, erased: [{ event_id: null, body_sha256, bytes: 4 }] });
    expect([...tables.events.values()][0]).not.toHaveProperty('body');
    await consume({ body: junk });
    expect([...tables.events.values()][0]).not.toHaveProperty('body');
  });
});

describe('an erasure of an order', () => {
  it('reaches its events page by page, and is among the acts of the order', async () => {
    const { act, consume, tables, actsAt } = setUpOperator();
    for (let n = 10; n < 35; n += 1) await consume(sent({ id: `e${n}`, order: 'A', transaction: `${n}` }));
    const first = await act('erase', { order_id: 'A' });
    expect([first.body.erased.length, typeof first.body.next_cursor]).toEqual([20, 'string']);
    const second = await act('erase', { order_id: 'A', cursor: first.body.next_cursor });
    expect([second.body.erased.length, second.body.next_cursor]).toEqual([5, null]);
    expect([...tables.events.values()].filter(({ body }) => body !== undefined)).toEqual([]);
    expect(await actsAt('live:order:A')).toHaveLength(25);
  });

  it('refuses a text that is no cursor, and the cursor of another order or mode', async () => {
    const { act, consume } = setUpOperator();
    for (let n = 10; n < 35; n += 1) await consume(sent({ id: `e${n}`, order: 'A', transaction: `${n}` }));
    await consume(sent({ id: 'b', order: 'B', transaction: 'b' }));
    const { next_cursor } = (await act('erase', { order_id: 'A' })).body;
    for (const fields of [
      { order_id: 'A', cursor: 'nonsense!' },
      { order_id: 'B', cursor: next_cursor },
      { order_id: 'A', mode: 'sandbox', cursor: next_cursor },
    ]) {
      const { status, body } = await act('erase', fields);
      expect([status, body.parameter]).toEqual([400, 'cursor']);
    }
  });

  it('reaches a quarantined body that an operator dismissed, and one that was given the order', async () => {
    const { act, consume, tables } = setUpOperator();
    await consume(
      payment,
      sent({ id: 'q', order: 'A', sandbox: true }),
      sent({ id: 'x', order: 'x'.repeat(1_025) }),
    );
    await act('dismiss', { event_id: 'q' });
    await act('admit', { event_id: 'x', order_id: 'A' });
    await act('erase', { order_id: 'A' });
    expect([...tables.events.values()].filter(({ body }) => body !== undefined)).toEqual([]);
  });

  it('reaches a refund without an order that the order has, and leaves the body of another order', async () => {
    const { act, consume, row } = setUpOperator();
    await consume(payment, refund, other);
    await act('dismiss', { event_id: 'p' });
    await act('erase', { order_id: 'A' });
    const bodies = [row('p'), row('r'), row('p', 'conflict')].map(({ body }) => body !== undefined);
    expect(bodies).toEqual([false, false, true]);
  });

  it('is refused while something of it waits, and names what', async () => {
    const { act, consume } = setUpOperator();
    await consume(payment, other);
    const { status, body } = await act('erase', { order_id: 'B' });
    expect(status).toBe(409);
    expect(body.detail).toContain('"p"');
  });

  it('is not found when no event has named it', async () => {
    const { act, consume } = setUpOperator();
    await consume(payment);
    const statuses = [];
    for (const fields of [{ order_id: 'B' }, { event_id: 'q' }, { body_sha256: 'ab'.repeat(32) }])
      statuses.push((await act('erase', fields)).status);
    expect(statuses).toEqual([404, 404, 404]);
  });
});

it.each([
  [{}],
  [{ event_id: 'p', order_id: 'A' }],
  [{ event_id: 'p', body_sha256: 'ab'.repeat(32) }],
  [{ event_id: 'p', cursor: 'YQ' }],
])('a request for an erasure gets 400 without exactly one subject: %j', async (fields) => {
  const { act, consume } = setUpOperator();
  await consume(payment);
  expect((await act('erase', fields)).status).toBe(400);
});

describe('a consumer that may still store the body', () => {
  it('of a young event makes the erasure wait, where bodies have rows of their own', async () => {
    const { act, consume, wait, row } = setUpOperator({ eventRetentionDays: 30, paceSeconds: 0 });
    await consume(payment);
    wait(20);
    const { status, body } = await act('erase', { event_id: 'p' });
    expect([status, body.title, body.retry_after_seconds]).toEqual([409, 'Busy', 40]);
    wait(40);
    expect((await act('erase', { event_id: 'p' })).status).toBe(200);
    expect(row('p').body).toBeUndefined();
  });
});
