import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { eventValues } from '../../lambdas/aws/event-item.ts';
import { toItem } from '../../lambdas/aws/items.ts';
import {
  eventAttributes,
  eventKey,
  eventNameKey,
  eventRecord,
  keyUseAttributes,
  keyUsesKey,
  orderAttributes,
  orderKey,
  transactionAttributes,
  transactionKey,
  unrecognisedKey,
  waitingAttributes,
} from '../../lambdas/contract/schema.ts';
import type { EventRow } from '../../lambdas/ports/rows.ts';
import { settingSchemas } from '../../lib/settings.ts';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/data.md'), 'utf8');
const spans = new Set([...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text));
const missingFrom = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => !spans.has(name));
const stack = synthesise(everySetting);

const act = { by: 'arn', at: '2026-11-21T10:00:00.000Z', reason: 'request' };
const fullRow: Required<Omit<EventRow, 'bodyRow'>> = {
  ...{ key: 'live:event:1', record: 'event', mode: 'live', eventId: '1' },
  ...{ outcome: 'applied', reason: 'not_json', waiting: 'conflict', assignedOrderIds: ['1'] },
  reading: {
    ...{ eventName: 'transaction.paid', meaning: 'paid', orderId: '1', transactionId: '1' },
    ...{ amount: '1', currency: 'USD', createdAt: act.at },
  },
  ...{ judged: { ...act, verdict: 'admitted', orderId: '1' }, erased: act },
  ...{ body: Buffer.from('{}'), bodySha256: 'a'.repeat(64), signature: 'b'.repeat(64), keyId: '1' },
  ...{ receivedAt: act.at, recordedAt: act.at, version: 1 },
};

describe('the data inventory', () => {
  it('names every resource of the stack that holds data, and no other', () => {
    const types = [
      'AWS::Backup::BackupVault',
      'AWS::DynamoDB::Table',
      'AWS::SQS::Queue',
      'AWS::SecretsManager::Secret',
      'AWS::Events::Archive',
      'AWS::Logs::LogGroup',
      'AWS::SNS::Topic',
    ];
    const paths = types.flatMap((type) => stack.ofType(type).map(([id]) => stack.pathOf(id)));
    expect(missingFrom(paths)).toEqual([]);
    const named = [...spans].filter((span) => /^[A-Z][A-Za-z]+\/[A-Z][A-Za-z/]+$/.test(span));
    expect(named.toSorted()).toEqual(paths.toSorted());
  });

  it('names every attribute of the two tables', () => {
    const item = toItem(eventValues(fullRow));
    const maps = Object.values(item).flatMap(({ M = {} }) => Object.keys(M));
    expect(Object.keys(item).length).toBeGreaterThan(20);
    expect(missingFrom([...Object.keys(item), ...maps])).toEqual([]);
    const contract = [eventAttributes, transactionAttributes, keyUseAttributes, orderAttributes];
    expect(missingFrom([...contract.flatMap(Object.values), ...waitingAttributes])).toEqual([]);
  });

  it('names every key and every kind of row of the table of events', () => {
    const mode = 'MODE' as never;
    const keys = [eventKey, transactionKey, orderKey].map((keyOf) => keyOf(mode, 'ID'));
    const others = [unrecognisedKey(mode, 'SHA256'), eventNameKey(mode, 'NAME'), keyUsesKey(mode)];
    expect(missingFrom([...keys, ...others])).toEqual([]);
    const beginnings = Object.values(eventRecord).map((record) =>
      typeof record === 'string' ? record : `${record('', '').split(':')[0]}:`,
    );
    const isNamed = (beginning: string) => [...spans].some((span) => span.startsWith(beginning));
    expect(beginnings.filter((beginning) => !isNamed(beginning))).toEqual([]);
  });

  it('states how long queues and logs keep what they hold', () => {
    const days = stack
      .propertiesOf('AWS::SQS::Queue')
      .map((queue) => Number(queue['MessageRetentionPeriod']) / 86_400);
    expect(days).toEqual([14, 14, 14]);
    expect(page.match(/at most 14 days/g)).toHaveLength(3);
    for (const [, name = '', count] of page.matchAll(/`(\w+)` \((\d+)\)/g))
      expect(Number(count), name).toBe(v.getDefault(settingSchemas[name as 'logRetentionDays']));
  });
});
