import { expect, it } from 'vitest';
import { localText, readTime, timeNotes, withFixedTimes } from '../../cli/times.ts';

const now = new Date(2026, 10, 21, 9, 30, 15).getTime();

it.each([
  ['2h', new Date(2026, 10, 21, 7, 30, 15)],
  ['30m', new Date(2026, 10, 21, 9, 0, 15)],
  ['3d', new Date(now - 3 * 86_400_000)],
  ['today', new Date(2026, 10, 21)],
  ['yesterday', new Date(2026, 10, 20)],
  ['yesterday 14:00', new Date(2026, 10, 20, 14)],
  ['8:05', new Date(2026, 10, 21, 8, 5)],
  ['2026-03-01 14:00', new Date(2026, 2, 1, 14)],
  ['2026-11-20T14:00:00Z', new Date(Date.UTC(2026, 10, 20, 14))],
  ['2026-11-20T14:00:00+02:00', new Date(Date.UTC(2026, 10, 20, 12))],
])('a command reads the time %s, in the zone of the terminal unless it has one', (text, expected) => {
  expect(new Date(readTime(text, now) ?? 0)).toEqual(expected);
});

it.each([
  '',
  'soon',
  '2 h',
  '24:00',
  '14:60',
  'tomorrow',
  '2026-02-30',
  '14',
  'yesterday 2pm',
  '2026-11-20T14:00:00',
])('a command refuses %j as a time', (text) => {
  expect(readTime(text, now)).toBeUndefined();
});

it('a time in words is noted in UTC, and one in ISO 8601 is not', () => {
  const since = '2026-11-20T13:00:00.000Z';
  const here = localText(Date.parse(since));
  expect(timeNotes(['--since', 'yesterday', '--json'], { since })).toEqual([
    `--since: ${here} here, ${since} UTC`,
  ]);
  expect(timeNotes(['--since=2026-11-20T14:00:00+01:00'], { since })).toEqual([]);
});

it('a command line that is printed to go on keeps the times that its words stood for', () => {
  const words = ['replay', '--since', '2h', '--until=30m', '--reason', '2h', '--order', '1h'];
  const times = [2, 0.5].map((hours) => new Date(now - hours * 3_600_000).toISOString());
  expect(withFixedTimes(words, now)).toEqual([
    ...['replay', '--since', times[0], `--until=${times[1]}`, '--reason', '2h', '--order', '1h'],
  ]);
});
