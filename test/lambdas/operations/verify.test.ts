import { describe, expect, it } from 'vitest';
import { conflictFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { failing } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';
import { setUpOperator } from '../../doubles/operations.ts';

const payment = sent({ id: 'p', order: 'A' });
const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });
const stray = '["paid","p","transaction.paid","T","1.00","USD",null]';

/** An order of a payment and its refund, and what a test damages in it. */
async function setUp(...messages: { readonly body: Uint8Array }[]) {
  const operator = setUpOperator();
  await operator.consume(payment, refund, ...messages);
  const { tables, row } = operator;
  return {
    ...operator,
    /** Changes the facts of an order behind the back of everybody. */
    damage(id: string, change: (facts: readonly string[]) => readonly string[]): void {
      const key = `live:order:${id}`;
      const order = { mode: 'live', id } as const;
      const before = tables.orders.get(key) ?? { order, facts: [], updatedAt: '', sequence: 0 };
      tables.orders.set(key, { ...before, facts: change(before.facts) });
    },
    damageRow: (id: string, change: object) =>
      tables.events.set(`live:event:${id}\nevent`, { ...row(id), ...change }),
  };
}
/** Each once: an event and its order are on different pages, which may both show a difference. */
const kinds = (
  differences: readonly { kind: string; order_id: string | null; event_id: string | null }[],
) => {
  const texts = differences.map(({ kind, order_id, event_id }) => JSON.stringify([kind, order_id, event_id]));
  return [...new Set(texts)].map((text) => JSON.parse(text));
};

describe('a comparison finds', () => {
  it('nothing in what a consumer has stored, however it waits and was judged', async () => {
    const { act, consume, verify, everything } = await setUp();
    await consume(
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

  it('nothing in an event that another release reads differently', async () => {
    const { reread, verify } = await setUp();
    reread('p', { orderId: 'B' });
    expect(await verify()).toEqual([]);
  });

  it('a fact that an order lacks, with the order before and after', async () => {
    const { damage, verify } = await setUp();
    damage('A', (facts) => facts.slice(0, 1));
    const [{ before, after }] = await verify();
    expect([before.status, after.status]).toEqual(['paid', 'partially_refunded']);
  });

  it('an order that is lost, which it shows once', async () => {
    const { tables, verify } = await setUp();
    tables.orders.clear();
    expect((await verify()).map(({ after }) => after === null)).toEqual([false, true]);
  });

  type Operator = Awaited<ReturnType<typeof setUp>>;
  const conflicting = sent({ id: 'p', order: 'B' });
  const second = sent({ id: 'p2', order: 'B' });
  const any = expect.any(String);
  it.each<[string, ReturnType<typeof sent>[], (operator: Operator) => unknown, unknown[]]>([
    [
      'a fact that is lost',
      [],
      ({ damage }) => damage('A', ([first = '']) => [first]),
      ['missing_fact', 'A', 'r'],
    ],
    ['an order that is lost', [], ({ tables }) => tables.orders.clear(), ['missing_fact', 'A', 'p']],
    [
      'a fact that no body of its event yields',
      [],
      ({ damage }) => damage('A', (facts) => [...facts, stray]),
      ['stale_fact', 'A', 'p'],
    ],
    [
      'a fact in an order that nothing leads to',
      [],
      ({ damage }) => damage('Z', () => [stray]),
      ['stale_fact', 'Z', 'p'],
    ],
    [
      'the mark of a conflict that is lost',
      [conflicting],
      ({ damage }) => damage('B', () => []),
      ['missing_mark', 'B', 'p'],
    ],
    [
      'the mark of a conflict without a reason',
      [conflicting],
      ({ damage, row }) => damage('Z', () => [conflictFact('p', row('p').bodySha256)]),
      ['stale_mark', 'Z', 'p'],
    ],
    [
      'the mark of a shared transaction that is lost',
      [second],
      ({ damage }) => damage('B', (facts) => facts.filter((text) => text !== sharedFact('T'))),
      ['missing_mark', 'B', any],
    ],
    [
      'the mark of a shared transaction without a reason',
      [],
      ({ damage }) => damage('A', (facts) => [...facts, sharedFact('T')]),
      ['stale_mark', 'A', any],
    ],
    [
      'the row of an event that is no longer true',
      [],
      ({ damageRow }) =>
        damageRow('r', { outcome: 'unassigned', waiting: 'unassigned', assignedOrderIds: [] }),
      ['stale_row', 'A', 'r'],
    ],
    [
      'the row of a transaction that lacks an entry',
      [],
      ({ tables }) => tables.transactions.set('live:transaction:T', { version: 2, entries: [] }),
      ['stale_row', null, any],
    ],
  ])('%s, which a rebuild repairs', async (_, messages, change, expected) => {
    const operator = await setUp(...messages);
    change(operator);
    expect(kinds(await operator.verify())).toContainEqual(expected);
    await operator.act('replay', { readings: 'stored' });
    if (operator.tables.orders.has('live:order:Z'))
      await operator.act('replay', { order_id: 'Z', readings: 'stored' });
    expect(await operator.verify()).toEqual([]);
  });

  it('a fact whose event has no row any more, which no rebuild changes', async () => {
    const { act, tables, verify, order } = await setUp();
    tables.events.delete('live:event:r\nevent');
    const before = order('A');
    expect(kinds(await verify())).toContainEqual(['fact_without_event', 'A', 'r']);
    await act('replay', { readings: 'stored' });
    expect(order('A')).toEqual(before);
  });
});

describe('a comparison of an event that was recorded a moment ago', () => {
  /** A payment whose order lacks it, and what happens in the pause before the second look. */
  async function young(pause: () => Promise<unknown>) {
    const { hooks, repair } = failing('merge');
    const operator = setUpOperator({ paceSeconds: 0, ...hooks, parts: {} });
    await expect(operator.consume(payment)).rejects.toThrow();
    repair();
    operator.settings.pause = async () => void (await pause.call(operator));
    return operator;
  }

  it('finds nothing when its consumer has ended at the second look', async () => {
    const operator = await young(async () => operator.consume(payment));
    expect(await operator.verify()).toEqual([]);
  });

  it('waits once for all of them', async () => {
    const { hooks, repair } = failing('merge');
    const operator = setUpOperator({ paceSeconds: 0, ...hooks });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
      await expect(operator.consume(sent({ id, order: id, transaction: id }))).rejects.toThrow();
    repair();
    let pauses = 0;
    operator.settings.pause = async () => {
      pauses += 1;
    };
    expect([(await operator.verify()).length, pauses]).toEqual([6, 1]);
  });

  it('finds at the second look what each of many events of one order lacks', async () => {
    const { consume, tables, verify } = setUpOperator({ paceSeconds: 0 });
    const ids = Array.from({ length: 40 }, (_, n) => `e${n}`);
    for (const id of ids) await consume(sent({ id, order: 'A', transaction: id }));
    tables.orders.clear();
    const differences = await verify();
    expect(kinds(differences)).toEqual(ids.toSorted().map((id) => ['missing_fact', 'A', id]));
    expect(differences[0].after.transactions).toHaveLength(40);
  });

  it('finds what is still missing at the second look', async () => {
    const { verify } = await young(async () => {});
    expect(kinds(await verify())).toEqual([['missing_fact', 'A', 'p']]);
  });
});

describe('the pages of a comparison', () => {
  it('are those of all events, and then those of all orders', async () => {
    const { post, consume } = await setUp();
    for (let n = 0; n < 5; n += 1) await consume(sent({ id: `e${n}`, order: `O${n}`, transaction: `${n}` }));
    const compared = [];
    let cursor: string | null = null;
    do {
      const { body } = await post('verify', JSON.stringify({ limit: 3, ...(cursor !== null && { cursor }) }));
      compared.push([body.compared.events, body.compared.orders]);
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(compared).toEqual([
      [3, 0],
      [3, 0],
      [1, 0],
      [0, 6],
    ]);
  });

  it('refuse the cursor of a replay, and one of the other mode', async () => {
    const { act, post } = await setUp();
    const replay = await act('replay', { limit: 1, dry_run: true });
    const verify = await post('verify', '{"limit":1}');
    for (const request of [
      { cursor: replay.body.next_cursor },
      { cursor: verify.body.next_cursor, mode: 'sandbox' },
    ])
      expect((await post('verify', JSON.stringify(request))).status).toBe(400);
    expect((await post('verify', '{"reason":"r"}')).status).toBe(400);
  });
});
