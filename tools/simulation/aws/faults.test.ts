import { expect, it } from 'vitest';
import { createClock } from '../clock.ts';
import { startedAt } from '../plan.ts';
import { createRandom } from '../random.ts';
import type { FaultKind } from './faults.ts';
import { createFaults, refusalOf } from './faults.ts';

it('lets writes conflict with transactions, and reads never', () => {
  const random = createRandom('conflicts');
  // A fault that lasts has ended at the next call.
  let at = startedAt;
  const clock = { ...createClock(startedAt), now: () => (at += 2_000) };
  const faults = createFaults({ clock, random, rate: 0.2, outages: [] });
  const kindsOf = (operation: string): Set<FaultKind | undefined> =>
    new Set(Array.from({ length: 200 }, () => faults.next('DynamoDB_20120810', '', operation)));
  expect(kindsOf('TransactWriteItems')).toContain('conflict');
  expect(kindsOf('PutItem')).toContain('conflict');
  expect(kindsOf('GetItem')).not.toContain('conflict');

  const text = JSON.stringify({ TransactItems: [{}, {}, {}] });
  const call = { kind: 'conflict', service: 'DynamoDB_20120810', text } as const;
  expect(refusalOf({ ...call, operation: 'PutItem' }, random)?.code).toBe('TransactionConflictException');
  const { code, details } = refusalOf({ ...call, operation: 'TransactWriteItems' }, random) ?? {};
  expect(code).toBe('TransactionCanceledException');
  const { CancellationReasons: reasons } = details as { CancellationReasons: { Code: string }[] };
  expect(reasons.map(({ Code }) => Code).sort()).toEqual(['None', 'None', 'TransactionConflict']);
});
