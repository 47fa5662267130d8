import { describe, expect, it } from 'vitest';
import { verifyPauseMilliseconds } from '../../../lambdas/contract/operations-limits.ts';
import { conflictFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { operatorAfter, setUpOperator } from '../../doubles/operations.ts';

const stray = '["paid","p","transaction.paid","T","1.00","USD",null]';

/** An order of a payment and its refund, and what a test damages in it. */
async function setUp(...messages: { readonly body: Uint8Array }[]) {
  const operator = await operatorAfter([payment, refund, ...messages]);
  const { tables, row } = operator;
  return {
    ...operator,
    /** Changes the facts of an order behind the back of everybody. */
    damage(id: string, change: (facts: readonly string[]) => readonly string[]): void {
      const order = { mode: 'live', id } as const;
      const before = tables.orders.get(`live:order:${id}`) ?? {
        order,
        facts: [],
        updatedAt: '',
        sequence: 0,
      };
      tables.orders.set(`live:order:${id}`, { ...before, facts: change(before.facts) });
    },
    damageRow: (id: string, change: object) =>
      tables.events.set(`live:event:${id}\nevent`, { ...row(id), ...change }),
  };
}
type Operator = Awaited<ReturnType<typeof setUp>>;

/** Each once: an event and its order are on different pages, which may both show a difference. */
const kinds = (
  differences: readonly { kind: string; order_id: string | null; event_id: string | null }[],
) => [...new Set(differences.map(({ kind, order_id, event_id }) => `${kind} ${order_id} ${event_id}`))];

describe('a comparison finds', () => {
  it('nothing in what a consumer has stored, however it waits and was judged', async () => {
    const { act, verify, everything } = await setUp(
      sent({ id: 'p', order: 'B' }),
      sent({ id: 'u', action: 'refunded', transaction: 'U' }),
      sent({ id: 'q', order: 'A', sandbox: true }),
      { body: Buffer.from('junk') },
      sent({ id: 'd', action: 'refunded', transaction: 'V' }),
      sent({ id: 'n', action: 'note', transaction: null }),
    );
    await act('dismiss', { event_id: 'd' });
    await act('admit', { event_id: 'u', order_id: 'C' });
    const before = everything();
    expect([await verify(), everything()]).toEqual([[], before]);
  });

  it('an order that is lost, which it shows once', async () => {
    const { tables, verify } = await setUp();
    tables.orders.clear();
    expect((await verify()).map(({ after }) => after === null)).toEqual([false, true]);
  });

  const conflicting = sent({ id: 'p', order: 'B' });
  const second = sent({ id: 'p2', order: 'B' });
  const unassigned = { outcome: 'unassigned', waiting: 'unassigned', assignedOrderIds: [] } as const;
  it.each<[string, (operator: Operator) => unknown, string, ReturnType<typeof sent>?]>([
    ['a fact that is lost', ({ damage }) => damage('A', ([first = '']) => [first]), 'missing_fact A r'],
    ['an order that is lost', ({ tables }) => tables.orders.clear(), 'missing_fact A p'],
    ['a fact of no body', ({ damage }) => damage('A', (facts) => [...facts, stray]), 'stale_fact A p'],
    [
      'a fact in an order that nothing leads to',
      ({ damage }) => damage('Z', () => [stray]),
      'stale_fact Z p',
    ],
    ['a lost mark of a conflict', ({ damage }) => damage('B', () => []), 'missing_mark B p', conflicting],
    [
      'the mark of a conflict without a reason',
      ({ damage, row }) => damage('Z', () => [conflictFact('p', row('p').bodySha256)]),
      ...(['stale_mark Z p', conflicting] as const),
    ],
    [
      'the mark of a shared transaction that is lost',
      ({ damage }) => damage('B', (facts) => facts.filter((text) => text !== sharedFact('T'))),
      ...(['missing_mark B', second] as const),
    ],
    [
      'the mark of a shared transaction without a reason',
      ({ damage }) => damage('A', (facts) => [...facts, sharedFact('T')]),
      'stale_mark A',
    ],
    ['a row that is no longer true', ({ damageRow }) => damageRow('r', unassigned), 'stale_row A r'],
    [
      'the row of a transaction that lacks an entry',
      ({ tables }) => tables.transactions.set('live:transaction:T', { version: 2, entries: [] }),
      'stale_row null',
    ],
  ])('%s, which a rebuild repairs', async (_, change, expected, message) => {
    const operator = await setUp(...(message ? [message] : []));
    change(operator);
    expect(kinds(await operator.verify())).toContainEqual(expect.stringContaining(expected));
    await operator.act('replay', { readings: 'stored' });
    if (operator.tables.orders.has('live:order:Z'))
      await operator.act('replay', { order_id: 'Z', readings: 'stored' });
    expect(await operator.verify()).toEqual([]);
  });

  it('a fact whose event has no row any more, which no rebuild changes', async () => {
    const { act, tables, verify, order } = await setUp();
    tables.events.delete('live:event:r\nevent');
    const before = order('A');
    expect(kinds(await verify())).toContain('fact_without_event A r');
    await act('replay', { readings: 'stored' });
    expect(order('A')).toEqual(before);
  });
});

describe('a comparison of an event that was recorded a moment ago', () => {
  it.each([
    ['finds nothing when its consumer has ended at the second look', true, []],
    ['finds what is still missing at the second look', false, ['missing_fact A p']],
  ])('%s', async (_, ends, found) => {
    const { consume, repair, settings, verify } = setUpOperator({ paceSeconds: 0, failing: 'merge' });
    await expect(consume(payment)).rejects.toThrow();
    repair();
    settings.pause = async () => void (ends && (await consume(payment)));
    expect(kinds(await verify())).toEqual(found);
  });

  it('waits once for all of them, and finds what each of many events of one order lacks', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `e${n}`);
    const messages = ids.map((id) => sent({ id, order: 'A', transaction: id }));
    const { settings, tables, verify } = await operatorAfter(messages, { paceSeconds: 0 });
    tables.orders.clear();
    const pauses: number[] = [];
    settings.pause = async (milliseconds) => void pauses.push(milliseconds);
    const differences = await verify();
    expect(kinds(differences)).toEqual(ids.toSorted().map((id) => `missing_fact A ${id}`));
    expect(differences[0].after.transactions).toHaveLength(40);
    expect(pauses.filter((milliseconds) => milliseconds === verifyPauseMilliseconds)).toHaveLength(1);
  });
});

it('the pages of a comparison are those of all events, and then those of all orders', async () => {
  const others = Array.from({ length: 5 }, (_, n) =>
    sent({ id: `e${n}`, order: `O${n}`, transaction: `${n}` }),
  );
  const { verifiedPages } = await setUp(...others);
  const pages = await verifiedPages(3);
  expect(pages.map(({ compared: { events, orders } }) => [events, orders])).toEqual([
    [3, 0],
    [3, 0],
    [1, 0],
    [0, 6],
  ]);
});

it('small pages of a comparison find what one page finds, also in an order of many strays', async () => {
  const operator = await setUp(sent({ id: 'e', order: 'B', transaction: 'U' }));
  const strays = ['a', 'b', 'c', 'z'].map((id) => stray.replace('"p"', `"${id}"`));
  operator.damage('B', (facts) => [...facts, ...strays]);
  operator.damage('Z', () => strays);
  const whole = kinds(await operator.verify());
  expect(whole).toHaveLength(8);
  const pages = await operator.verifiedPages(1);
  const differences = pages.flatMap((page) => page.differences);
  const orders = pages.reduce((sum, { compared }) => sum + compared.orders, 0);
  expect([kinds(differences), differences.length, orders]).toEqual([whole, 8, 3]);
});
