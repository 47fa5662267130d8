import { describe, expect, it } from 'vitest';
import { sent } from '../../doubles/event-body.ts';
import { operatorAfter } from '../../doubles/operations.ts';

const payments = (...ids: string[]) => ids.map((id) => sent({ id, order: `O ${id}`, transaction: id }));

const ofOneOrder = (...ids: string[]) => ids.map((id) => sent({ id, order: 'A', transaction: id }));

type Operator = Awaited<ReturnType<typeof operatorAfter>>;

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

it.each([
  ['an order', { order_id: 'A' }],
  ['a time', {}],
])(
  'a replay of %s goes on from its cursor, page by page, with the time at which it began',
  async (_, fields) => {
    const operator = await operatorAfter(ofOneOrder('a', 'b', 'c', 'd', 'e'));
    for (const id of ['a', 'e']) operator.reread(id, { amount: '7.00' });
    const pages = await pagesOf(operator, { ...fields, limit: 2 });
    expect(pages.map(({ replayed }) => replayed)).toEqual([2, 2, 1]);
    expect(new Set(pages.map(({ at }) => at)).size).toBe(1);
  },
);

describe('a replay of a time', () => {
  it('reads every event again, each once, and is among the acts of replays', async () => {
    const conflict = sent({ id: 'a', order: 'O a', amount: '7.00', transaction: 'a' });
    const operator = await operatorAfter([...payments('a', 'b', 'c'), conflict]);
    const { reread, order, actsAt } = operator;
    for (const id of ['a', 'b'])
      reread(id, ({ amount }) => ({ amount: amount === '100.00' ? '90.00' : amount }));
    const [page, ...others] = await pagesOf(operator, {});
    expect([page.replayed, page.orders.length, others]).toEqual([3, 2, []]);
    expect(order('O b')).toMatchObject({ sequence: 2 });
    const audit = [{ act: 'replay', at: page.at }];
    for (const key of ['live:replay', 'live:event:b']) expect(await actsAt(key)).toMatchObject(audit);
    expect(await actsAt('live:event:c')).toEqual([]);
  });

  it('leaves out what was recorded before or after, and the other mode', async () => {
    const { act, consume, wait, clock } = await operatorAfter(payments('a'));
    wait(60);
    const since = new Date(clock.now).toISOString();
    await consume(...payments('b'), { ...sent({ id: 's', sandbox: true }), mode: 'sandbox' });
    wait(60);
    const until = new Date(clock.now - 1).toISOString();
    await consume(...payments('c'));
    const replayed = async (fields: object) =>
      (await act('replay', { ...fields, dry_run: true })).body.replayed;
    expect(await replayed({ since, until })).toBe(1);
    expect(await replayed({ since })).toBe(2);
    expect(await replayed({ mode: 'sandbox' })).toBe(1);
  });
});

describe('a replay that publishes', () => {
  const publishedBy = ({ tables }: Operator) =>
    [...tables.orders.values()].map(({ published, sequence }) => [published, sequence]);

  it('publishes each order that has an event of it once in a run, although nothing else changes', async () => {
    const ids = ['a', 'b', 'c'];
    const operator = await operatorAfter(ofOneOrder(...ids));
    const pages = await pagesOf(operator, { order_id: 'A', publish: true, limit: 1 });
    expect(pages.map(({ changed }) => changed)).toEqual([true, false, false, false]);
    expect(publishedBy(operator)).toEqual([[pages[0].at, 4]]);
    const [again] = await pagesOf(operator, { order_id: 'A', publish: true });
    expect(publishedBy(operator)).toEqual([[again.at, 5]]);
    expect(operator.order('A')?.events).toEqual(ids);
  });

  it('publishes no order that holds none of its events', async () => {
    const ofOneTransaction = ['a', 'b'].map((id) => sent({ id, order: `O ${id}` }));
    const operator = await operatorAfter(ofOneTransaction);
    const { body } = await operator.act('replay', { event_id: 'a', publish: true });
    expect(publishedBy(operator)).toEqual([
      [body.at, 3],
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
    const operator = await operatorAfter(payments('a'));
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
