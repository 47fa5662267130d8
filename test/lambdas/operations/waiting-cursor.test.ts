import { expect, it } from 'vitest';
import { decodeWaitingCursor, encodeWaitingCursor } from '../../../lambdas/operations/waiting.ts';

const selection = { mode: 'live', kind: undefined };
const after = { key: 'live:event:e', record: 'event', recordedAt: '2026-11-21T10:00:01.000Z' };
const cursor = encodeWaitingCursor({ kind: 'conflict', after }, selection);

it('a cursor is read as it was written', () => {
  expect(decodeWaitingCursor(cursor, selection)).toEqual({ kind: 'conflict', after });
});

it.each([
  ['of another selection', encodeWaitingCursor({ kind: 'conflict', after }, { mode: 'sandbox' })],
  ['with more after it', `${cursor}=`],
  ['with more before it', `=${cursor}`],
  ['with more before it that no decoder reads', `!${cursor}`],
  ['that is empty', ''],
  ['that is no cursor', 'cA'],
  ['of a kind that does not exist', rewritten((text) => text.replace('conflict', 'conflicts'))],
  ['of another version', rewritten((text) => text.replace('[1', '[2'))],
  ['with another time', rewritten((text) => text.replace('2026-11-21T10:00:01.000Z', '2026'))],
])('a cursor %s is refused', (_, text) => {
  expect(decodeWaitingCursor(text, selection)).toBeUndefined();
});

it('a cursor may have 4,608 characters', () => {
  const ofKey = (length: number) =>
    encodeWaitingCursor({ kind: 'conflict', after: { ...after, key: 'k'.repeat(length) } }, selection);
  const lengths = Array.from({ length: 3_500 }, (_, n) => n).filter((n) => ofKey(n).length <= 4_608);
  const longest = lengths.at(-1) ?? 0;
  expect(ofKey(longest)).toHaveLength(4_608);
  expect(decodeWaitingCursor(ofKey(longest), selection)).toBeDefined();
  expect(decodeWaitingCursor(ofKey(longest + 1), selection)).toBeUndefined();
});

function rewritten(change: (text: string) => string): string {
  return Buffer.from(change(Buffer.from(cursor, 'base64url').toString())).toString('base64url');
}
