import { describe, expect, it } from 'vitest';
import {
  type AlarmRule,
  occurrencesOf,
  occurrencesSentence,
  spanOf,
} from '../../../operator/sentences/alarm-occurrences.ts';

const at = (time: string): number => Date.parse(`2026-11-22T${time}:00.000Z`);
const rule: AlarmRule = {
  ...{ statistics: ['Sum'], periodSeconds: 3_600, threshold: 5, missing: 'notBreaching' },
  comparison: 'GreaterThanOrEqualToThreshold',
};
/** The minutes from 14:00 on in which something was counted. */
function minutesWith(counts: Readonly<Record<string, number>>) {
  const values = Array.from({ length: 120 }, (): number | undefined => undefined);
  for (const [time, count] of Object.entries(counts)) values[(at(time) - at('14:00')) / 60_000] = count;
  return { begin: at('14:00'), values };
}
const refused = minutesWith({ '14:02': 1, '14:05': 2, '14:09': 2 });

describe('an alarm over an hour', () => {
  it('shows how many there were, from when until when, and that it ends when the first are an hour old', () => {
    const found = occurrencesOf('WebhookServerErrors', rule, refused, at('14:30'));
    expect(found).toEqual({
      ...{ count: 5, counted: 'failed requests', first_at: '2026-11-22T14:02:00.000Z' },
      ...{ last_at: '2026-11-22T14:09:00.000Z', ends_at: '2026-11-22T15:03:00.000Z' },
    });
    expect(found && occurrencesSentence(found, at('14:30'))).toBe(
      '5 failed requests between 14:02Z and 14:09Z, none since; ends by itself at 15:03Z if nothing new comes.',
    );
  });

  it('ends an hour after the last, if that alone reaches the threshold', () => {
    const found = occurrencesOf('ForgeriesFound', { ...rule, threshold: 1 }, refused, at('14:11'));
    expect(found?.ends_at).toBe('2026-11-22T15:10:00.000Z');
    expect(found && occurrencesSentence(found, at('14:11'))).toBe(
      '5 forgeries between 14:02Z and 14:09Z; ends by itself at 15:10Z if nothing new comes.',
    );
  });

  it('ends within minutes once the hour is over, which CloudWatch evaluates a little later', () => {
    const found = occurrencesOf('ForgeriesFound', rule, refused, at('15:20'));
    expect(found && occurrencesSentence(found, at('15:20'))).toMatch(/ends by itself within minutes if/);
  });

  it('is looked for in the hour before it fired, and a day back at most', () => {
    expect(spanOf(rule, at('14:30'), at('15:00'))).toEqual({ begin: at('13:30'), end: at('15:01') });
    expect(spanOf(rule, at('14:30') - 5 * 86_400_000, at('15:00'))?.begin).toBe(at('15:00') - 86_400_000);
  });
});

it('a level has no number, and ends when its highest value is older than its period', () => {
  const level = { ...rule, statistics: ['Maximum'], periodSeconds: 300, threshold: 900 };
  const ages = minutesWith({ '14:02': 900, '14:03': 960, '14:04': 30 });
  const found = occurrencesOf('EventsDelayed', level, ages, at('14:05'));
  expect(found).toMatchObject({
    count: null,
    last_at: '2026-11-22T14:03:00.000Z',
    ends_at: '2026-11-22T14:09:00.000Z',
  });
});

it.each<[string, Partial<AlarmRule>]>([
  ['fires because something is missing', { missing: 'breaching' }],
  ['fires below its threshold', { comparison: 'LessThanThreshold' }],
  ['keeps its state until nothing is left', { missing: 'ignore' }],
  ['goes by a share', { expression: 'FILL(refused, 0) - 0.05 * FILL(accepted, 0)' }],
])('an alarm that %s has no occurrences', (_, other) => {
  expect(occurrencesOf('Any', { ...rule, ...other }, refused, at('14:30'))).toBeNull();
  expect(spanOf({ ...rule, ...other }, at('14:30'), at('14:30'))).toBeUndefined();
});
