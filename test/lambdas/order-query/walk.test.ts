import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../lambdas/order-query/cursor.ts';
import { readListRequest } from '../../../lambdas/order-query/parameters.ts';
import { advanceWalk, beginWalk, resumeWalk, type Walk } from '../../../lambdas/order-query/walk.ts';

const at = (time: string): string => `2026-11-21T${time}.000Z`;
const now = Date.parse(at('10:01:00'));
const place = (time: string) => ({ updatedAt: at(time), tie: 'ab'.repeat(16) });
const forwards = (updatedSince: string): Walk =>
  beginWalk({ updatedSince, updatedUntil: undefined, sortOrder: 'asc' }, now) as Walk;
const filter = { mode: 'live', status: undefined, attention: undefined } as const;
const cursor = encodeCursor({ ...filter, ...forwards(at('09:00:00')) });
const partsOf = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString());

it('a list that begins within the settling time never goes back before its updated_since', () => {
  const begun = forwards(at('10:00:50'));
  const walk = advanceWalk(begun, place('10:00:55'), { now, settleSeconds: 30 });
  const later = resumeWalk(walk, { now: now + 60_000, settleSeconds: 30 });
  expect(later.position).toEqual({ updatedAt: at('10:00:50'), tie: '' });
});

it('a list that comes back after the settling time reads the last 30 seconds before its page again', () => {
  const walk = advanceWalk(forwards(at('09:00:00')), place('10:00:55'), { now, settleSeconds: 30 });
  expect(resumeWalk(walk, { now: now + 30_000, settleSeconds: 30 }).position).toEqual(place('10:00:55'));
  const late = resumeWalk(walk, { now: now + 30_001, settleSeconds: 30 });
  expect(late.position).toEqual({ updatedAt: at('10:00:30'), tie: '' });
});

it('a list whose page ended before the settling time continues there, however late', () => {
  const walk = advanceWalk(forwards(at('09:00:00')), place('09:30:00'), { now, settleSeconds: 30 });
  expect(resumeWalk(walk, { now: now + 60_000, settleSeconds: 30 }).position).toEqual(place('09:30:00'));
});

it('a page that did not begin at the settled place settles nothing', () => {
  const first = advanceWalk(forwards(at('09:00:00')), place('10:00:55'), { now, settleSeconds: 30 });
  const second = advanceWalk(first, place('10:00:58'), { now: now + 10_000, settleSeconds: 30 });
  const late = resumeWalk(second, { now: now + 60_000, settleSeconds: 30 });
  expect(late.position).toEqual({ updatedAt: at('10:00:30'), tie: '' });
});

it.each([
  ['!', ''],
  ['', '!'],
  ['', '='],
  [' ', ''],
])('a cursor with %j before and %j after it is none', (before, after) => {
  expect(decodeCursor(`${before}${cursor}${after}`)).toBeUndefined();
});

it('a cursor of more than 512 characters is none', () => {
  const padded = (length: number): string =>
    Buffer.from(JSON.stringify(partsOf(cursor)).padEnd(length)).toString('base64url');
  expect(padded(384)).toHaveLength(512);
  expect(decodeCursor(padded(384))).toEqual(decodeCursor(cursor));
  expect(decodeCursor(padded(385))).toBeUndefined();
});

it('a parameter that the cursor does not have is refused with what it has: none', () => {
  expect(() => readListRequest({ cursor, status: 'paid' })).toThrow('none, the status of the cursor');
});
