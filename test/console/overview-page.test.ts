import { describe, expect, it } from 'vitest';
import type { AlarmList, ConsoleStatus, FiringAlarm, ListedAlarm } from '../../console/contract.ts';
import { alarmGroups, alarmsSentence } from '../../console/page/alarms/alarm-groups.ts';
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
const late: FiringAlarm = {
  ...{ alarm: 'EventsDelayed', severity: 'now', since: '2026-11-21T10:00:00.000Z' },
  ...{ meaning: 'Events are late.', count: 1200, counted: 'events not recorded yet', oldest_at: null },
  ...{ command: null, runbook: 'docs/runbook.md#eventsdelayed' },
};
const conflicts: FiringAlarm = {
  ...{ ...late, alarm: 'EventConflicts', severity: 'today', meaning: 'Two events have one id.' },
  ...{ count: 2, counted: 'waiting' },
};
const waiting = [
  { mode: 'live' as const, kind: 'conflict' as const, count: 2, oldest_recorded_at: null },
  { mode: 'sandbox' as const, kind: 'unassigned' as const, count: 1, oldest_recorded_at: null },
];

describe('the first line of the overview', () => {
  it.each<[string, Partial<ConsoleStatus>, string]>([
    [
      'how many alarms are on, how soon a person is needed, and for what',
      { firing: [late, conflicts] },
      '2 alarms are on. A person is needed now: Events are late. Now: 1,200 events not recorded yet.',
    ],
    [
      'what waits before its alarm fires, and the depth of each queue that is not empty',
      { waiting, queues: { events: 1, oldest_event_seconds: 9, dead_letters: 2, feed_failures: 3 } },
      'None of 48 alarms is on. 3 items wait; 1 event not recorded yet; 2 dead letters; ' +
        '3 changes not published.',
    ],
    [
      'that nothing could be read',
      { firing: null, alarms: null, queues: null, waiting: null },
      'The alarms could not be read. Nothing else is known.',
    ],
  ])('says %s', (_, status, sentence) => {
    expect(headlineOf({ ...quiet, ...status })).toBe(sentence);
  });
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

  it('says in a sentence how many are on, where to begin, and what is not known', () => {
    expect(alarmsSentence(list)).toBe(
      '7 alarms: 4 on, 1 deleted by hand, 1 without data, 1 off. Begin with Older.',
    );
    expect(alarmsSentence({ alarms: [listed('Quiet')] })).toBe('1 alarm: 1 off.');
  });
});
