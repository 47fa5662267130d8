import { describe, expect, it } from 'vitest';
import { conflictFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { failing } from '../../doubles/consumer.ts';
import { type EventFields, eventBody } from '../../doubles/event-body.ts';
import { setUpOperator } from '../../doubles/operations.ts';

const sent = (fields: EventFields) => ({ body: eventBody(fields) });
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
    const [difference, ...others] = await verify();
    expect([kinds([difference]), others]).toEqual([[['missing_fact', 'A', 'r']], []]);
    expect([difference.before.status, difference.after.status]).toEqual(['paid', 'partially_refunded']);
  });

  it('an order that is lost, once for each event, and shows it once', async () => {
    const { tables, verify } = await setUp();
    tables.orders.clear();
    const differences = await verify();
    expect(kinds(differences)).toEqual([
      ['missing_fact', 'A', 'p'],
      ['missing_fact', 'A', 'r'],
    ]);
    expect(differences.map(({ after }) => after === null)).toEqual([false, true]);
  });

  it.each([
    ['in its own order', 'A'],
    ['in an order that nothing leads to', 'Z'],
  ])('a fact that no body of its event yields, %s', async (_, id) => {
    const { damage, verify } = await setUp();
    damage(id, (facts) => [...facts, stray]);
    expect(kinds(await verify())).toEqual([['stale_fact', id, 'p']]);
  });

  it('the mark of a conflict that an order lacks, and one that it has without a reason', async () => {
    const { damage, verify, row } = await setUp(sent({ id: 'p', order: 'B' }));
    damage('B', () => []);
    damage('C', () => [conflictFact('p', row('p').bodySha256)]);
    expect(kinds(await verify())).toEqual([
      ['missing_mark', 'B', 'p'],
      ['stale_mark', 'C', 'p'],
    ]);
  });

  it('the mark of a shared transaction that an order lacks, and one without a reason', async () => {
    const { damage, verify } = await setUp(sent({ id: 'p2', order: 'B' }));
    damage('B', (facts) => facts.filter((text) => text !== sharedFact('T')));
    expect(kinds(await verify())).toContainEqual(['missing_mark', 'B', expect.any(String)]);
    const { damage: add, verify: again } = await setUp();
    add('A', (facts) => [...facts, sharedFact('T')]);
    expect(kinds(await again())).toContainEqual(['stale_mark', 'A', expect.any(String)]);
  });

  it('the row of an event that is no longer true', async () => {
    const { damageRow, verify } = await setUp();
    damageRow('r', { outcome: 'unassigned', waiting: 'unassigned', assignedOrderIds: [] });
    expect(kinds(await verify())).toEqual([['stale_row', 'A', 'r']]);
  });

  it('the row of a transaction that lacks an entry', async () => {
    const { tables, verify } = await setUp();
    const row = tables.transactions.get('live:transaction:T');
    tables.transactions.set('live:transaction:T', { version: 2, entries: row?.entries.slice(1) ?? [] });
    expect(kinds(await verify()).map(([kind]) => kind)).toContain('stale_row');
  });

  it('a fact whose event has no row any more, which no rebuild changes', async () => {
    const { act, tables, verify, order } = await setUp();
    tables.events.delete('live:event:r\nevent');
    const before = order('A');
    expect(kinds(await verify())).toContainEqual(['fact_without_event', 'A', 'r']);
    await act('replay', { readings: 'stored' });
    expect(order('A')).toEqual(before);
  });

  it('an event with too many bodies', async () => {
    const { tables, verify, row } = await setUp();
    for (let n = 0; n < 50; n += 1)
      tables.events.set(`live:event:p\nconflict:${n}`, {
        ...row('p'),
        record: `conflict:${n}`,
        bodySha256: `${n}`,
      });
    expect(kinds(await verify())).toContainEqual(['too_many_bodies', null, 'p']);
  });

  it('what a rebuild repairs, and nothing after it', async () => {
    const { act, damage, damageRow, tables, verify } = await setUp(sent({ id: 'p2', order: 'B' }));
    tables.orders.delete('live:order:B');
    damage('Z', () => [stray]);
    damageRow('r', { assignedOrderIds: [] });
    expect((await verify()).length).toBeGreaterThan(2);
    await act('replay', { readings: 'stored' });
    await act('replay', { order_id: 'Z', readings: 'stored' });
    expect(await verify()).toEqual([]);
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
    let pauses = 0;
    const { verify, wait } = await young(async () => {
      pauses += 1;
    });
    expect(kinds(await verify())).toEqual([['missing_fact', 'A', 'p']]);
    expect(pauses).toBe(1);
    wait(3_600);
    await verify();
    expect(pauses).toBe(1);
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
