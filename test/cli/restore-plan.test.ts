import { expect, it } from 'vitest';
import { makePlan } from '../../cli/restore/plan.ts';

it('a restore of one deployment never goes on with that of another in its stack', () => {
  const window = { earliest: 0, latest: Date.parse('2026-11-22T08:15:00Z') };
  const targets = ['shop-payments', 'shop-refunds'].flatMap((PayhooksDeployment) =>
    makePlan(
      { name: 'Shop', region: 'eu-west-1', outputs: { PayhooksDeployment } },
      [{ table: 'orders', tableName: 'Orders', window }],
      {},
    ),
  );
  expect(targets.map(({ target }) => target)).toEqual([
    'shop-payments-orders-20261122T081500Z',
    'shop-refunds-orders-20261122T081500Z',
  ]);
});
