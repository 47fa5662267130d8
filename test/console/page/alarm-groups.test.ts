import { describe, expect, it } from 'vitest';
import type { AlarmList, ListedAlarm } from '../../../console/contract.ts';
import { alarmGroups } from '../../../console/page/alarms/alarm-groups.ts';

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
