import { expect, it } from 'vitest';
import { changeOf, comparePositions } from '../lambdas/contract/change-position.ts';
import * as schema from '../lambdas/contract/schema.ts';

it('rows have the keys that releases have written', () => {
  expect(schema.eventKey('live', 'evt:1')).toBe('live:event:evt:1');
  expect(schema.unrecognisedKey('sandbox', 'ab12')).toBe('sandbox:body:ab12');
  expect(schema.transactionKey('live', 't-1')).toBe('live:transaction:t-1');
  expect(schema.eventNameKey('live', 'a.b')).toBe('live:name:a.b');
  expect(schema.keyUsesKey('sandbox')).toBe('sandbox:keys');
  expect(schema.replayKey('live')).toBe('live:replay');
  expect(schema.orderKey('heartbeat', 'o-1')).toBe('heartbeat:order:o-1');
  expect(schema.waitingPartition('live', 'conflict')).toBe('live:conflict');
});

it('rows under one key have the records that releases have written', () => {
  const { body, variant, conflict, quarantine, keyUse, act, ...texts } = schema.eventRecord;
  expect([body, variant, conflict, quarantine, keyUse].map((record) => record('x'))).toEqual([
    ...['body:x', 'variant:x', 'conflict:x', 'quarantine:x', 'key:x'],
  ]);
  expect(act('2026-11-21T10:00:00.000Z', '7')).toBe('act:2026-11-21T10:00:00.000Z:7');
  expect(Object.values(texts)).toEqual(['event', 'unrecognised', 'transaction', 'event_name', 'act:']);
});

it.each([
  ['live:order:o-1', { mode: 'live', id: 'o-1' }],
  ['sandbox:order:a\nb:order:c', { mode: 'sandbox', id: 'a\nb:order:c' }],
  ['heartbeat:order:', { mode: 'heartbeat', id: '' }],
  ['xlive:order:o-1', undefined],
  ['test:order:o-1', undefined],
  ['live:event:o-1', undefined],
])('the key %j is that of the order %j', (key, order) => {
  expect(schema.orderOfKey(key)).toEqual(order);
});

it('an order has the same of 16 partitions of its mode as in every release', () => {
  expect(schema.changeShard('live', 'live:order:o-1')).toBe('live:15');
  expect(schema.changeShardsOf('sandbox')).toHaveLength(16);
  expect(schema.changeShardsOf('sandbox').slice(-2)).toEqual(['sandbox:14', 'sandbox:15']);
});

it('changes are in the order of their times, and of one time in that of their ties', () => {
  const places = [
    { updatedAt: '2026-11-21T10:00:00.000Z', tie: 'b' },
    { updatedAt: '2026-11-21T10:00:01.000Z', tie: '' },
    { updatedAt: '2026-11-21T10:00:01.000Z', tie: 'a' },
    { updatedAt: '2026-11-21T10:00:01.000Z', tie: 'b' },
  ];
  for (const [n, first] of places.entries()) {
    expect(comparePositions(first, { ...first })).toBe(0);
    for (const second of places.slice(n + 1))
      expect([comparePositions(first, second), comparePositions(second, first)]).toEqual([-1, 1]);
  }
});

it('the tie of a change is the beginning of the SHA-256 of its key, as cursors hold it', () => {
  expect(changeOf('2026-11-21T10:00:00.000Z', 'live:order:o-1')).toEqual({
    updatedAt: '2026-11-21T10:00:00.000Z',
    tie: '134e437fe1f69293426f137ae65e7d65',
    key: 'live:order:o-1',
  });
});
