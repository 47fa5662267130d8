import { expect, it } from 'vitest';
import { transactionFactsMax } from '../lambdas/contract/limits.ts';
import { deliver, readAs } from './doubles/misread.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { dyingAfter, takeTurns } from './doubles/turns.ts';

const refund = { id: 'r', action: 'refunded', amount: '1.00' };
const readNow = { ...refund, amount: '2.00' };

it('a replay of an order ends the wait of what it counts, though one died while an admission met it', async () => {
  let [status, met]: [number | undefined, number] = [0, 0];
  for (let death = 1; status !== 200; death += 1) {
    for (let [calls, hasEnded] = [1, false]; !hasEnded; calls += 1) {
      const tables = sharedTables();
      await deliver(tables, refund, { ...refund, id: 's' });
      readAs(tables, readNow);
      const { results, ended } = await takeTurns(
        [
          (gate) => tables.act('replay', { event_id: 'r' }, 'ann', dyingAfter(death)(gate)),
          (gate) => tables.act('admit', { event_id: 's', order_id: 'A' }, 'bob', gate),
        ],
        [
          { actor: 0, calls },
          { actor: 1, calls: 1_000 },
        ],
      );
      [hasEnded = true] = ended;
      status = results[0]?.status;
      await tables.act('replay', { event_id: 'r' });
      await tables.act('replay', { order_id: 'A' });
      expect([death, calls, tables.waiting()]).toEqual([death, calls, []]);
      expect(tables.orderViews()).toMatchObject({ A: { events: ['r', 's'] } });
      met += 1;
    }
  }
  expect(met).toBeGreaterThan(100);
});

it('of a refund that had no room in its transaction, an order that has left it counts nothing', async () => {
  const tables = sharedTables();
  const payments = ['A', 'B'].map((order) => ({ id: `p${order}`, order }));
  const many = Array.from({ length: transactionFactsMax }, (_, n) => ({ ...refund, id: `x${n}` }));
  await deliver(tables, ...payments, ...many, refund);
  for (const payment of payments) readAs(tables, { ...payment, transaction: 'U' });
  await tables.act('replay', {});
  await tables.act('replay', {});
  expect(tables.events.get('live:event:r event')).toMatchObject({ waiting: 'unassigned' });
  const counting = () => Object.entries(tables.orderViews()).filter(([, { events }]) => events.includes('r'));
  expect(counting()).toHaveLength(1);
  expect(await tables.differences()).toMatchObject([{ kind: 'stale_fact', event_id: 'r' }]);
  for (const { order } of payments) await tables.act('replay', { order_id: order });
  expect(counting()).toEqual([]);
  expect(await tables.differences()).toEqual([]);
  expect(tables.events.get('live:event:r event')).toMatchObject({ waiting: 'unassigned' });
});

it('a comparison shows, once, a refund that waits although its order counts it', async () => {
  const tables = sharedTables();
  await deliver(tables, { id: 'p', order: 'A' }, refund);
  const at = 'live:event:r event';
  const settled = tables.events.get(at);
  if (settled === undefined) throw new Error('The refund has no row.');
  const { assignedOrderId: _, ...row } = settled;
  tables.events.set(at, { ...row, outcome: 'unassigned', waiting: 'unassigned' });
  expect(await tables.differences()).toMatchObject([{ kind: 'stale_row', order_id: 'A', event_id: 'r' }]);
  await tables.act('replay', { order_id: 'A' });
  expect(tables.events.get(at)).toEqual(settled);
  expect(await tables.differences()).toEqual([]);
});
