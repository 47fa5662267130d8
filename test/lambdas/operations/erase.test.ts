import { describe, expect, it } from 'vitest';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { ann, operatorAfter, reason } from '../../doubles/operations.ts';

const other = sent({ id: 'p', order: 'B', transaction: 'U' });
type Operator = Awaited<ReturnType<typeof operatorAfter>>;

/** Of each row, whether its body is there. */
const bodiesIn = ({ tables }: Operator) => [...tables.events.values()].map(({ body }) => body !== undefined);

describe.each([undefined, 30])('with bodies that are kept for %j days, an erasure', (eventRetentionDays) => {
  const setUp = (...messages: { readonly body: Uint8Array }[]) =>
    operatorAfter(messages, { eventRetentionDays });

  it('of an event removes its body, and keeps its lock, reading, provenance and fact', async () => {
    const { act, row, order, actsAt } = await setUp(payment);
    const { body: bytes, bodyRow: _, version, ...rest } = row('p');
    const before = order('A');
    const { status, body } = await act('erase', { event_id: 'p' });
    const response = { act: 'erase', changed: true, events: [], orders: [], next_cursor: null };
    expect([status, body]).toMatchObject([200, response]);
    expect(body.erased).toEqual([{ event_id: 'p', body_sha256: rest.bodySha256, bytes: bytes?.length }]);
    const erased = { by: ann, at: body.at, reason };
    expect(row('p')).toEqual({ ...rest, erased, version: version + 1 });
    expect(order('A')).toEqual(before);
    expect(await actsAt('live:event:p')).toEqual([{ act: 'erase', ...erased, eventId: 'p' }]);
  });

  it('stays when the event is delivered again, in the same or in other bytes', async () => {
    const { act, consume, everything, wait } = await setUp(payment);
    await act('erase', { event_id: 'p' });
    const before = everything();
    wait(60);
    await consume(payment, sent({ id: 'p', order: 'A', attempt: 2 }));
    expect(everything()).toBe(before);
  });

  it('of an event with a conflict removes both bodies, once that was dismissed', async () => {
    const operator = await setUp(payment, other);
    expect((await operator.act('erase', { event_id: 'p' })).status).toBe(409);
    await operator.act('dismiss', { event_id: 'p' });
    const { body } = await operator.act('erase', { event_id: 'p' });
    const hashes = [payment, other].map(({ body: bytes }) => sha256(bytes));
    expect(body.erased.map((one: { body_sha256: string }) => one.body_sha256).toSorted()).toEqual(
      hashes.sort(),
    );
    expect(bodiesIn(operator)).toEqual([false, false]);
  });

  it('of a body that is no event removes it for good, once it was judged', async () => {
    const junk = { body: Buffer.from('junk') };
    const operator = await setUp(junk);
    const body_sha256 = sha256(junk.body);
    await operator.act('dismiss', { body_sha256 });
    const { body } = await operator.act('erase', { body_sha256 });
    expect(body).toMatchObject({ changed: true, erased: [{ event_id: null, body_sha256, bytes: 4 }] });
    await operator.consume(junk);
    expect(bodiesIn(operator)).toEqual([false]);
  });
});

describe('an erasure of an order', () => {
  it('reaches its events page by page, and is among the acts of the order', async () => {
    const many = Array.from({ length: 25 }, (_, n) => sent({ id: `e${n}`, order: 'A', transaction: `${n}` }));
    const operator = await operatorAfter(many);
    const first = await operator.act('erase', { order_id: 'A' });
    expect([first.body.erased.length, typeof first.body.next_cursor]).toEqual([20, 'string']);
    const second = await operator.act('erase', { order_id: 'A', cursor: first.body.next_cursor });
    expect([second.body.erased.length, second.body.next_cursor]).toEqual([5, null]);
    expect(bodiesIn(operator)).not.toContain(true);
    expect(await operator.actsAt('live:order:A')).toHaveLength(25);
  });

  it('reaches a quarantined body that an operator dismissed, and one that was given the order', async () => {
    const operator = await operatorAfter([
      payment,
      sent({ id: 'q', order: 'A', sandbox: true }),
      sent({ id: 'x', order: 'x'.repeat(1_025) }),
    ]);
    await operator.act('dismiss', { event_id: 'q' });
    await operator.act('admit', { event_id: 'x', order_id: 'A' });
    await operator.act('erase', { order_id: 'A' });
    expect(bodiesIn(operator)).not.toContain(true);
  });

  it('reaches a refund without an order that the order has, and leaves the body of another order', async () => {
    const { act, row } = await operatorAfter([payment, refund, other]);
    await act('dismiss', { event_id: 'p' });
    await act('erase', { order_id: 'A' });
    const bodies = [row('p'), row('r'), row('p', 'conflict')].map(({ body }) => body !== undefined);
    expect(bodies).toEqual([false, false, true]);
  });
});

it('an erasure of a young event waits for a consumer that may still store its body in a row of its own', async () => {
  const { act, wait, row } = await operatorAfter([payment], { eventRetentionDays: 30, paceSeconds: 0 });
  wait(20);
  const { status, body } = await act('erase', { event_id: 'p' });
  expect([status, body.title, body.retry_after_seconds]).toEqual([409, 'Busy', 40]);
  wait(40);
  expect((await act('erase', { event_id: 'p' })).status).toBe(200);
  expect(row('p').body).toBeUndefined();
});
