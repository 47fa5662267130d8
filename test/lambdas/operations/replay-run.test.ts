import { describe, expect, it } from 'vitest';
import { eventBody, sent } from '../../doubles/event-body.ts';
import { setUpOperator } from '../../doubles/operations.ts';

const payments = (...ids: string[]) => ids.map((id) => sent({ id, order: `O ${id}`, transaction: id }));

type Operator = ReturnType<typeof setUpOperator>;

/** The pages of a run, until it ends. */
async function pagesOf({ act }: Operator, fields: object) {
  const pages = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await act('replay', { ...fields, ...(cursor !== null && { cursor }) });
    if (status !== 200) throw new Error(body.detail);
    pages.push(body);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return pages;
}

describe('a replay of an order', () => {
  it('goes on from its cursor, page by page', async () => {
    const operator = setUpOperator();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await operator.consume(...ids.map((id) => sent({ id, order: 'A', transaction: id })));
    const pages = await pagesOf(operator, { order_id: 'A', limit: 2 });
    expect(pages.map(({ replayed }) => replayed)).toEqual([2, 2, 1]);
    const { status } = await operator.act('replay', { cursor: pages[0].next_cursor });
    expect(status).toBe(400);
  });

  it('finds an event whose row names another order, and takes its fact away', async () => {
    const { act, consume, tables, order } = setUpOperator();
    await consume(sent({ id: 'p', order: 'A' }), sent({ id: 'q', order: 'B', transaction: 'U' }));
    const [stray = ''] = tables.orders.get('live:order:B')?.facts ?? [];
    await tables
      .open()
      .store.merge({ order: { mode: 'live', id: 'A' }, facts: [stray], now: () => new Date() });
    await act('replay', { order_id: 'A', readings: 'stored' });
    expect([order('A')?.events, order('B')?.events]).toEqual([['p'], ['q']]);
  });
});

describe('a replay of a time', () => {
  it('reads every event again, each once, and is among the acts of replays', async () => {
    const operator = setUpOperator();
    const { consume, reread, order, actsAt } = operator;
    await consume(
      ...payments('a', 'b', 'c'),
      sent({ id: 'a', order: 'O a', amount: '7.00', transaction: 'a' }),
    );
    for (const id of ['a', 'b'])
      reread(id, ({ amount }) => ({ amount: amount === '100.00' ? '90.00' : amount }));
    const [page, ...others] = await pagesOf(operator, {});
    expect([page.replayed, page.orders.length, others]).toEqual([3, 2, []]);
    expect(order('O b')).toMatchObject({ sequence: 2 });
    const audit = { act: 'replay', at: page.at };
    expect(await actsAt('live:replay')).toMatchObject([audit]);
    expect(await actsAt('live:event:b')).toMatchObject([audit]);
    expect(await actsAt('live:event:c')).toEqual([]);
  });

  it('goes on from its cursor, with the time at which it began', async () => {
    const operator = setUpOperator();
    await operator.consume(...payments('a', 'b', 'c', 'd', 'e'));
    for (const id of ['a', 'e']) operator.reread(id, { amount: '7.00' });
    const pages = await pagesOf(operator, { limit: 2 });
    expect(pages.map(({ replayed }) => replayed)).toEqual([2, 2, 1]);
    expect(new Set(pages.map(({ at }) => at)).size).toBe(1);
    const sandbox = await operator.act('replay', { mode: 'sandbox', cursor: pages[0].next_cursor });
    expect(sandbox.status).toBe(400);
  });

  it('refuses the cursor of another order, whose events it would leave out', async () => {
    const { act, consume } = setUpOperator();
    const more = { order: 'A', transaction: 'U' };
    await consume(...payments('a'), { body: eventBody({ id: 'x', ...more }) });
    await consume({ body: eventBody({ id: 'y', ...more }) });
    const { next_cursor } = (await act('replay', { order_id: 'A', limit: 1 })).body;
    const { status, body } = await act('replay', { order_id: 'O a', cursor: next_cursor });
    expect([status, body.parameter]).toEqual([400, 'cursor']);
    const rest = await act('replay', { order_id: 'A', cursor: next_cursor });
    expect(rest.body).toMatchObject({ replayed: 1, next_cursor: null });
  });

  it('leaves out what was recorded before or after, and the other mode', async () => {
    const { act, consume, wait, clock } = setUpOperator();
    await consume(...payments('a'));
    wait(60);
    const since = new Date(clock.now).toISOString();
    await consume(...payments('b'), {
      body: eventBody({ id: 's', order: 'A', sandbox: true }),
      mode: 'sandbox',
    });
    wait(60);
    const until = new Date(clock.now - 1).toISOString();
    await consume(...payments('c'));
    expect((await act('replay', { since, until, dry_run: true })).body.replayed).toBe(1);
    expect((await act('replay', { since, dry_run: true })).body.replayed).toBe(2);
    expect((await act('replay', { mode: 'sandbox', dry_run: true })).body.replayed).toBe(1);
  });

  it('shows the orders that several of its events change, in its dry run as well', async () => {
    const { act, consume, reread } = setUpOperator();
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    await consume(...ids.map((id) => sent({ id, order: 'A', transaction: id })));
    for (const id of ids) reread(id, { orderId: id < 'd' ? 'B' : 'C' });
    const { orders } = (await act('replay', {})).body;
    expect(orders.map((change: { order_id: string }) => change.order_id)).toEqual(['A', 'B', 'C']);
  });

  it('ends its page before an event that is busy, and says when to go on', async () => {
    const { act, consume, reread, wait, order } = setUpOperator({ paceSeconds: 0 });
    await consume(...payments('a'));
    wait(600);
    await consume(...payments('b'));
    wait(20);
    for (const id of ['a', 'b']) reread(id, { orderId: 'Z' });
    const first = await act('replay', {});
    expect([first.status, first.body.replayed, first.body.retry_after_seconds]).toEqual([200, 1, 40]);
    const cursor = first.body.next_cursor;
    const again = await act('replay', { cursor });
    expect([again.status, again.body.title, again.body.retry_after_seconds]).toEqual([409, 'Busy', 40]);
    wait(40);
    const last = await act('replay', { cursor });
    expect([last.body.replayed, last.body.next_cursor, order('Z')?.events]).toEqual([1, null, ['a', 'b']]);
  });

  it('goes on at the beginning of an order whose first event was busy', async () => {
    const { act, consume, reread, wait, order } = setUpOperator({ paceSeconds: 0 });
    await consume(sent({ id: 'b', order: 'A', transaction: 'b' }));
    wait(600);
    await consume(sent({ id: 'a', order: 'A', transaction: 'a' }));
    wait(20);
    for (const id of ['a', 'b']) reread(id, { orderId: 'Z' });
    const first = await act('replay', { order_id: 'A' });
    expect([first.body.replayed, first.body.retry_after_seconds]).toEqual([1, 40]);
    wait(40);
    const last = await act('replay', { order_id: 'A', cursor: first.body.next_cursor });
    expect([last.status, last.body.next_cursor, order('Z')?.events]).toEqual([200, null, ['a', 'b']]);
  });
});

describe('a replay that publishes', () => {
  const publishedBy = ({ tables }: Operator) =>
    [...tables.orders.values()].map(({ published, sequence }) => [published, sequence]);

  it('publishes each order that has an event of it once in a run, although nothing else changes', async () => {
    const operator = setUpOperator();
    const ids = ['a', 'b', 'c'];
    await operator.consume(...ids.map((id) => sent({ id, order: 'A', transaction: id })));
    const pages = await pagesOf(operator, { order_id: 'A', publish: true, limit: 1 });
    expect(pages.map(({ changed }) => changed)).toEqual([true, false, false, false]);
    expect(publishedBy(operator)).toEqual([[pages[0].at, 4]]);
    const [again] = await pagesOf(operator, { order_id: 'A', publish: true });
    expect(publishedBy(operator)).toEqual([[again.at, 5]]);
    expect(operator.order('A')?.events).toEqual(ids);
  });

  it('publishes no order that holds none of its events', async () => {
    const operator = setUpOperator();
    await operator.consume(...payments('a', 'b'));
    const { body } = await operator.act('replay', { event_id: 'a', publish: true });
    expect(publishedBy(operator)).toEqual([
      [body.at, 2],
      [undefined, 1],
    ]);
  });
});

describe('a name without a meaning', () => {
  const event_name = 'transaction.settled';
  const settled = (id: string, order = 'A') => sent({ id, action: 'settled', order, transaction: id });
  const isWaiting = ({ tables }: Operator) =>
    tables.names.get(`live:name:${event_name}`)?.waiting !== undefined;

  /** A name whose events are `n1` and `n2`, and another event before them; the next release knows it. */
  async function setUp() {
    const operator = setUpOperator();
    await operator.consume(...payments('a'));
    operator.wait(60);
    await operator.consume(settled('n1'), settled('n2', 'B'));
    operator.setMeanings({ [event_name]: 'paid' });
    return operator;
  }

  it('waits until a replay of everything has ended, which counts its events', async () => {
    const operator = await setUp();
    const { act, order, actsAt } = operator;
    const first = await act('replay', { limit: 2 });
    expect(isWaiting(operator)).toBe(true);
    await act('replay', { cursor: first.body.next_cursor });
    expect([isWaiting(operator), order('A')?.status, order('B')?.status]).toEqual([false, 'paid', 'paid']);
    expect(await actsAt(`live:name:${event_name}`)).toMatchObject([{ act: 'replay', eventName: event_name }]);
  });

  it('ends its wait with a run that began with its first event', async () => {
    const operator = await setUp();
    const since = operator.tables.names.get(`live:name:${event_name}`)?.recordedAt;
    await operator.act('replay', { since });
    expect(isWaiting(operator)).toBe(false);
  });

  it.each<[string, object]>([
    ['one event', { event_id: 'n1' }],
    ['an order', { order_id: 'A' }],
    ['a time that ended', { until: '2026-11-30T00:00:00Z' }],
    ['a time that began after its first event', { since: '2026-11-21T10:30:00Z' }],
    ['the stored readings', { readings: 'stored' }],
    ['what a dry run shows', { dry_run: true }],
    ['another mode', { mode: 'sandbox' }],
  ])('still waits after a replay of %s', async (_, fields) => {
    const operator = await setUp();
    expect((await operator.act('replay', fields)).status).toBe(200);
    expect(isWaiting(operator)).toBe(true);
  });

  it('still waits after a run whose first page a release with other meanings has handled', async () => {
    const operator = await setUp();
    operator.setMeanings({});
    const { body } = await operator.act('replay', { limit: 2 });
    operator.setMeanings({ [event_name]: 'paid' });
    await operator.act('replay', { cursor: body.next_cursor });
    expect(isWaiting(operator)).toBe(true);
  });
});
