import type { OrderChange } from '@payhooks/order-client';
import { expect, it } from 'vitest';
import { printChanges } from '../../cli/acts/changes.ts';
import { recordTerminal } from '../doubles/terminal.ts';

const snapshot = (status: 'paid' | 'pending', sequence: number): OrderChange['after'] => ({
  ...{ status, sequence, attention: [], transactions: [] },
});
const changes = (count: number, prefix: string, status: 'paid' | 'pending'): readonly OrderChange[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ order_id: `${prefix}-${index}`, before: snapshot('paid', 1), after: snapshot(status, 2) },
  }));
const orders = [...changes(4_868, 'same', 'paid'), ...changes(22, 'changed', 'pending')];

it('a preview of many orders lists the first that change, and counts the others by what becomes of them', () => {
  const { terminal, lines } = recordTerminal();
  printChanges(terminal, { events: [], orders }, {});
  expect(lines.filter((line) => line.includes('paid -> pending')).slice(0, 2)).toEqual([
    'changed-0  paid -> pending',
    'changed-1  paid -> pending',
  ]);
  expect(lines.slice(-3)).toEqual([
    '2 more orders: paid -> pending',
    '4,868 orders keep their state',
    '--verbose lists them.',
  ]);
  expect(lines.join()).not.toContain('same-');
});

it('--verbose lists every order of a preview', () => {
  const { terminal, lines } = recordTerminal();
  printChanges(terminal, { events: [], orders }, { verbose: true });
  expect(lines.filter((line) => line.startsWith('same-'))).toHaveLength(4_868);
});
