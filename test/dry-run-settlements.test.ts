import { expect, it } from 'vitest';
import { settledRow } from '../lambdas/operations/settled-row.ts';
import type { EventRow, Settlement } from '../lambdas/ports/stores.ts';
import { fact } from './doubles/facts.ts';

const bodySha256 = 'ab'.repeat(32);
const [key, mode] = ['live:event:e', 'live'] as const;
const at = '2026-11-21T10:00:00.000Z';
const row: EventRow = {
  ...{ key, record: 'event', mode, outcome: 'applied', keyId: 'k', receivedAt: at, recordedAt: at },
  ...{ eventId: 'e', bodySha256, fact: fact('e', 'refunded') },
};
const judged = { verdict: 'dismissed', by: 'ann', at: '2026-11-22T09:00:00.000Z', reason: '' } as const;
const [refusing, refused] = ['quarantined', 'order_refused'] as const;
const expiresAt = 1_900_000_000;
type State = Omit<Settlement, 'key' | 'mode' | 'fact'>;

it.each<[string, Partial<EventRow>, State, Partial<EventRow> | false]>([
  ['a wait that was judged', { outcome: refusing, judged }, { outcome: refusing, waiting: refused }, false],
  [
    'a wait for another reason than was judged',
    { outcome: 'unassigned', judged },
    { outcome: refusing, waiting: refused },
    { outcome: refusing, waiting: refused },
  ],
  [
    'a wait that was not judged',
    { outcome: refusing },
    { outcome: refusing, waiting: refused },
    { outcome: refusing, waiting: refused },
  ],
  ['no wait', { outcome: 'applied', judged }, { outcome: 'applied' }, { outcome: 'applied', judged }],
  ['no wait, and an expiry', { expiresAt }, { outcome: 'applied' }, { expiresAt }],
  [
    'another order that refuses it',
    { assignedOrderId: 'A' },
    { outcome: refusing, waiting: refused, assignedOrderId: 'B' },
    { outcome: refusing, waiting: refused, assignedOrderId: 'B' },
  ],
  ['no order', { assignedOrderId: 'A' }, { outcome: 'applied' }, { assignedOrderId: 'A' }],
  ['a greater order', { assignedOrderId: 'A' }, { outcome: 'applied', assignedOrderId: 'B' }, false],
  [
    'a lesser order',
    { assignedOrderId: 'B' },
    { outcome: 'applied', assignedOrderId: 'A' },
    { assignedOrderId: 'A' },
  ],
  [
    'the same order, which has not got it',
    { assignedOrderId: 'A' },
    { outcome: 'applied', assignedOrderId: 'A', mergedInto: ['B'] },
    false,
  ],
  [
    'the order that refused it',
    { outcome: refusing, assignedOrderId: 'A' },
    { outcome: 'applied', assignedOrderId: 'A' },
    { assignedOrderId: 'A' },
  ],
  [
    'another order than refused it',
    { outcome: refusing, assignedOrderId: 'B' },
    { outcome: 'applied', assignedOrderId: 'A' },
    false,
  ],
  [
    'another order, when the one that refused it has it too',
    { outcome: refusing, assignedOrderId: 'A' },
    { outcome: 'applied', assignedOrderId: 'B', mergedInto: ['A', 'B'] },
    { assignedOrderId: 'B' },
  ],
])('a dry run settles an event as the table does: with %s', (_, state, settlement, settled) => {
  const after = settledRow({ ...row, orderId: 'A', ...state }, { key, mode, bodySha256, ...settlement });
  expect(after).toStrictEqual(settled ? { ...row, key, orderId: 'A', ...settled } : undefined);
});

it('a dry run settles an event by its fact while it names no order', () => {
  const settlement = { key, mode, outcome: 'applied', assignedOrderId: 'A' } as const;
  const settled = (found: EventRow, text: string) => settledRow(found, { ...settlement, fact: text });
  expect(settled(row, fact('e', 'refunded'))).toMatchObject({ assignedOrderId: 'A' });
  expect(settled(row, fact('another', 'refunded'))).toBeUndefined();
  expect(settled({ ...row, orderId: 'B' }, fact('e', 'refunded'))).toBeUndefined();
});
