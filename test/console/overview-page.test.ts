import { describe, expect, it } from 'vitest';
import type { AlarmList, ConsoleStatus, ListedAlarm } from '../../console/contract.ts';
import { alarmGroups } from '../../console/page/alarms/alarm-groups.ts';
import { headlineOf } from '../../console/page/overview/headline.ts';

const quiet: ConsoleStatus = {
  alarms: { count: 48, without_data: [], deleted: [] },
  firing: [],
  queues: { events: 0, oldest_event_seconds: null, dead_letters: 0, feed_failures: 0 },
  waiting: [],
  last_event_at: '2026-11-21T12:00:00.000Z',
  last_heartbeat_at: '2026-11-21T12:00:00.000Z',
  unknown: [],
};
const waiting = [
  { mode: 'live' as const, kind: 'conflict' as const, count: 2, oldest_recorded_at: null },
  { mode: 'sandbox' as const, kind: 'unassigned' as const, count: 1, oldest_recorded_at: null },
];

it('the overview names what waits before its alarm fires, and the depth of each queue that is not empty', () => {
  const queues = { events: 1, oldest_event_seconds: 9, dead_letters: 2, feed_failures: 3 };
  expect(headlineOf({ ...quiet, waiting, queues })).toBe(
    'None of 48 alarms is on. 3 items wait; 1 event not recorded yet; 2 dead letters; ' +
      '3 changes not published.',
  );
});

describe('the list of alarms', () => {
  const listed = (alarm: string, more: Partial<ListedAlarm> = {}): ListedAlarm => ({
    ...{ alarm, state: 'OK', severity: 'today', since: '2026-11-21T10:00:00.000Z', meaning: '' },
    ...more,
  });
  const list: AlarmList = {
    alarms: [
      listed('Quiet'),
      listed('Silent', { state: 'INSUFFICIENT_DATA' }),
      listed('Gone', { state: 'deleted', since: null }),
      listed('Later', { state: 'ALARM' }),
      listed('Newer', { state: 'ALARM', severity: 'now', since: '2026-11-21T11:00:00.000Z' }),
      listed('Older', { state: 'ALARM', severity: 'now' }),
      listed('Weekly', { state: 'ALARM', severity: 'this week' }),
    ],
  };

  it('has those that are on first, the most urgent and the longest on before others', () => {
    const groups = alarmGroups(list).map(({ title, alarms }) => [title, alarms.map(({ alarm }) => alarm)]);
    expect(groups).toEqual([
      ['On', ['Older', 'Newer', 'Later', 'Weekly']],
      ['Deleted by hand', ['Gone']],
      ['Without data', ['Silent']],
      ['Off', ['Quiet']],
    ]);
  });
});
