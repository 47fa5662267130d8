import { serialize } from 'node:v8';
import { expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { deliver, moneyOf, readAs } from './doubles/misread.ts';
import { copyOf, sharedTables } from './doubles/operators-at-once.ts';
import { dyingAfter, type Gate, meetEveryWay, takeTurns } from './doubles/turns.ts';

type Tables = ReturnType<typeof sharedTables>;

const payment = { id: 'p', order: 'A' };
const refund = { id: 'r', action: 'refunded' };
const later = { id: 's', action: 'refunded', amount: '1.00' };
const second = { id: 'q', order: 'A' };

interface Meeting {
  readonly before: readonly EventFields[];
  /** What this version reads in the payment p, which is replayed. */
  readonly readNow: EventFields;
  /** The events that arrive during the replay, in one batch. */
  readonly arriving: readonly EventFields[];
  readonly after?: readonly EventFields[];
}

async function prepared({ before, readNow }: Meeting): Promise<Tables> {
  const tables = sharedTables();
  await deliver(tables, ...before);
  readAs(tables, readNow);
  return tables;
}

const arrive = (tables: Tables, arriving: readonly EventFields[], gate?: Gate): Promise<void> =>
  tables.consume(
    arriving.map((event) => ({ body: eventBody(event), messageId: event.id })),
    gate,
  );

/** What a version that has read every event in this way from the beginning has of each order. */
async function moneyFrom({ before, readNow, arriving, after = [] }: Meeting) {
  const reference = sharedTables();
  const read = before.map((event) => (event.id === readNow.id ? readNow : event));
  await deliver(reference, ...read, ...arriving, ...after);
  return moneyOf(reference);
}

const toAnotherOrder = { id: 'p', order: 'B' };

it.each<[string, Meeting]>([
  ['a payment', { before: [payment, refund], readNow: toAnotherOrder, arriving: [second] }],
  [
    'a payment, before a refund,',
    { before: [payment], readNow: toAnotherOrder, arriving: [second], after: [refund] },
  ],
  [
    'a payment together with a refund',
    { before: [payment, refund], readNow: toAnotherOrder, arriving: [second, later] },
  ],
  [
    'a payment of a transaction that another one leaves',
    { before: [payment, refund], readNow: { ...payment, transaction: 'U' }, arriving: [second] },
  ],
])('%s that arrives at any moment of a replay counts where it belongs', async (_, meeting) => {
  const begin = await prepared(meeting);
  const expected = await moneyFrom(meeting);
  const count = await meetEveryWay(async (turns) => {
    const tables = copyOf(begin);
    const { ended } = await takeTurns<unknown>(
      [
        (gate) => tables.act('replay', { event_id: 'p' }, 'ann', gate),
        (gate) => arrive(tables, meeting.arriving, gate),
      ],
      turns,
    );
    await deliver(tables, ...(meeting.after ?? []));
    expect([turns, moneyOf(tables)]).toEqual([turns, expected]);
    return { ended };
  });
  expect(count).toBeGreaterThan(100);
});

it.each<[string, readonly EventFields[], EventFields]>([
  ['that names its order', [], { ...refund, order: 'B' }],
  ['that names its order and another transaction', [payment], { ...refund, order: 'B', transaction: 'U' }],
  ['of another transaction', [payment], { ...refund, transaction: 'U' }],
])(
  'a refund %s counts in no other order, although a payment arrives at any moment of its replay',
  async (_, others, readNow) => {
    const begin = await prepared({ before: [refund, ...others], readNow, arriving: [] });
    const arriving = { id: 'q', order: 'C' };
    const expected = await moneyFrom({ before: [refund, ...others], readNow, arriving: [arriving] });
    await meetEveryWay(async (turns) => {
      const tables = copyOf(begin);
      const { ended } = await takeTurns<unknown>(
        [
          (gate) => tables.act('replay', { event_id: 'r' }, 'ann', gate),
          (gate) => arrive(tables, [arriving], gate),
        ],
        turns,
      );
      expect([turns, moneyOf(tables)]).toEqual([turns, expected]);
      return { ended };
    });
  },
);

const former = { id: 'f', order: 'B', transaction: 'U' };

it.each<[string, readonly EventFields[], EventFields]>([
  ['an order', [{ ...refund, order: 'B' }], refund],
  ['an order and a transaction', [{ ...refund, order: 'B', transaction: 'U' }], refund],
  ['a transaction in which it waited', [{ ...refund, transaction: 'U' }], refund],
  ['the order of its transaction', [former, { ...refund, transaction: 'U' }], refund],
  ['its order together with its payment', [{ ...former, order: 'A', transaction: 'T' }, refund], former],
])(
  'a refund that left %s waits for no payment that arrived at any moment of the replay',
  async (_, before, readNow) => {
    for (const eventRetentionDays of [undefined, 30]) {
      await meetEveryWay(async (turns) => {
        const tables = sharedTables({ eventRetentionDays });
        await deliver(tables, ...before);
        readAs(tables, readNow);
        const { ended } = await takeTurns<unknown>(
          [
            (gate) => tables.act('replay', { event_id: readNow.id }, 'ann', gate),
            (gate) => arrive(tables, [payment], gate),
          ],
          turns,
        );
        const { outcome, waiting, assignedOrderId } = tables.events.get('live:event:r event') ?? {};
        const row = { outcome, waiting, assignedOrderId };
        expect([turns, row]).toEqual([turns, { outcome: 'applied', assignedOrderId: 'A' }]);
        return { ended };
      });
    }
  },
);

it('a refund waits where its replay reads it, whenever a payment of its former transaction arrives', async () => {
  const begin = await prepared({ before: [refund], readNow: { ...refund, transaction: 'U' }, arriving: [] });
  await meetEveryWay(async (turns) => {
    const tables = copyOf(begin);
    const { ended } = await takeTurns<unknown>(
      [
        (gate) => tables.act('replay', { event_id: 'r' }, 'ann', gate),
        (gate) => arrive(tables, [payment], gate),
      ],
      turns,
    );
    const { waiting, transactionId } = tables.events.get('live:event:r event') ?? {};
    expect([turns, waiting, transactionId]).toEqual([turns, 'unassigned', 'U']);
    return { ended };
  });
});

it('a payment counts with its refunds after a replay that dies anywhere meanwhile, and is repeated', async () => {
  const after = [later];
  const meeting = { before: [payment, refund], readNow: toAnotherOrder, arriving: [second], after };
  const begin = await prepared(meeting);
  const expected = await moneyFrom(meeting);
  const proven = new Set<string>();
  /** Repeats the replay over what one has left; what follows depends on that state alone. */
  const prove = async (left: Tables, at: object): Promise<void> => {
    const { events, bodies, orders, transactions, acts } = left;
    const state = serialize([events, bodies, orders, transactions, acts]).toString('latin1');
    if (proven.has(state)) return;
    proven.add(state);
    await left.act('replay', { event_id: 'p' });
    await deliver(left, ...after);
    expect([at, moneyOf(left)]).toEqual([at, expected]);
  };

  // Some calls of the arrival, then the replay until it dies, and then the rest of the arrival.
  let status: number | undefined = 0;
  for (let death = 1; death < 100 && status !== 200; death += 1) {
    for (let [calls, hasArrived] = [0, false]; !hasArrived; calls += 1) {
      const tables = copyOf(begin);
      const { results, ended } = await takeTurns<{ status: number } | undefined>(
        [
          (gate) => tables.act('replay', { event_id: 'p' }, 'ann', dyingAfter(death)(gate)),
          (gate) => arrive(tables, meeting.arriving, gate).then(() => undefined),
        ],
        [{ actor: 1, calls }],
      );
      [hasArrived = true] = ended;
      status = results[0]?.status;
      await prove(tables, { death, calls });
    }
  }
  expect(status).toBe(200);

  // Some calls of the replay, then the arrival, and then the replay, which may die before each further call.
  for (let [calls, isOver] = [1, false]; !isOver; calls += 1) {
    const tables = copyOf(begin);
    const left: Tables[] = [];
    let hasArrived = false;
    const { ended } = await takeTurns<unknown>(
      [
        (gate) =>
          tables.act('replay', { event_id: 'p' }, 'ann', async () => {
            await gate();
            if (hasArrived) left.push(copyOf(tables));
          }),
        async (gate) => {
          await arrive(tables, meeting.arriving, gate);
          hasArrived = true;
        },
      ],
      [
        { actor: 0, calls },
        { actor: 1, calls: 1_000 },
      ],
    );
    [isOver = true] = ended;
    for (const [death, one] of left.entries()) await prove(one, { calls, death });
  }
  expect(proven.size).toBeGreaterThan(20);
});
