import { describe, expect, it } from 'vitest';
import type { AlarmList, ListedAlarm } from '../../console/contract/alarms.ts';
import type { ConsoleStatus, FiringAlarm } from '../../console/contract.ts';
import { alarmGroups, alarmsSentence } from '../../console/page/alarms/alarm-groups.ts';
import { headlineOf, isUntouched } from '../../console/page/overview/headline.ts';

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
    ['that all is quiet', {}, 'All quiet: none of 48 alarms is on. Nothing waits; the queues are empty.'],
    [
      'who is needed, how soon, and for what',
      { firing: [late] },
      'A person is needed now. Events are late. Now: 1,200 events not recorded yet.',
    ],
    [
      'the worst first, and how many more are as urgent',
      { firing: [late, { ...late, alarm: 'SecretReadFailed' }, conflicts] },
      'A person is needed now. Events are late. Now: 1,200 events not recorded yet. ' +
        '2 more alarms are on, 1 as urgent.',
    ],
    [
      'all that waits, by kind, when that is the most urgent',
      { firing: [conflicts, { ...conflicts, alarm: 'EventsUnassigned', count: 1 }], waiting },
      '3 things wait for a person today: 2 in conflict, 1 without a known order in the sandbox.',
    ],
    [
      'what is more urgent than what waits',
      { firing: [late, conflicts], waiting },
      'A person is needed now. Events are late. Now: 1,200 events not recorded yet. 1 more alarm is on.',
    ],
    [
      'that an alarm ends by itself',
      { firing: [{ ...conflicts, count: 0 }] },
      'A person is needed today. Two events have one id. Its cause has ended; the alarm ends by itself.',
    ],
    [
      'what waits before its alarm fires',
      { waiting },
      'No alarm is on. 3 things wait for a person; the queues are empty.',
    ],
    [
      'the depth of each queue that is not empty',
      { queues: { events: 1, oldest_event_seconds: 9, dead_letters: 2, feed_failures: 3 } },
      'No alarm is on. Nothing waits; 1 event not recorded yet, 2 dead letters, 3 changes not published.',
    ],
    [
      'that alarms were deleted by hand',
      { alarms: { count: 48, without_data: [], deleted: ['EventsDelayed'] } },
      '1 alarm was deleted by hand, so a fault may go unnoticed.',
    ],
    [
      'that an alarm without data is not known to be off',
      { alarms: { count: 48, without_data: ['EventsDelayed', 'FeedDelayed'], deleted: [] } },
      'No alarm is on. 2 of 48 alarms have no data yet. Nothing waits; the queues are empty.',
    ],
    [
      'that what waits is not known',
      { waiting: null, unknown: [{ part: 'events', message: 'No permission.', not_allowed: true }] },
      'No alarm is on. Not everything could be read. The queues are empty.',
    ],
    [
      'that alarms could not be read, and what is known all the same',
      { firing: null, alarms: null, queues: null },
      'The alarms could not be read. Nothing waits.',
    ],
    [
      'that nothing could be read',
      { firing: null, alarms: null, queues: null, waiting: null },
      'The alarms could not be read. Nothing else is known.',
    ],
  ])('says %s', (_, status, sentence) => {
    expect(headlineOf({ ...quiet, ...status })).toBe(sentence);
  });

  it('takes a stack for untouched only when it is known to have received nothing', () => {
    const empty = { ...quiet, last_event_at: null };
    expect(isUntouched(empty)).toBe(true);
    expect(isUntouched(quiet)).toBe(false);
    expect(isUntouched({ ...empty, waiting })).toBe(false);
    expect(isUntouched({ ...empty, waiting: null })).toBe(false);
    expect(isUntouched({ ...empty, queues: null })).toBe(false);
    const queues = { events: 1, oldest_event_seconds: null, dead_letters: 0, feed_failures: 0 };
    expect(isUntouched({ ...empty, queues })).toBe(false);
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
      '4 of 7 alarms are on. Begin with Older. 1 alarm was deleted by hand. 1 alarm without data yet.',
    );
    expect(alarmsSentence({ alarms: [listed('Quiet')] })).toBe('None of 1 alarm is on.');
  });
});
