import type { WaitingCount, WaitingKind } from '@payhooks/order-client';
import { waitingGauges } from '../../../lambdas/contract/metrics.ts';
import type { ConsoleStatus, FiringAlarm } from '../../contract.ts';
import { counted } from '../parts/texts.ts';
import { wordFor } from '../parts/words.ts';

/** The answer of the overview, in a sentence: the worst first. */
export function headlineOf(status: ConsoleStatus): string {
  const { firing, alarms } = status;
  if (firing === null || alarms === null) return `The alarms could not be read. ${calmText(status)}`;
  const [worst, ...others] = firing;
  const deleted = alarms.deleted.length;
  if (worst !== undefined) {
    const waits = waitingSentence(status.waiting ?? [], worst);
    return waits ?? `${urgencyOf(worst)} ${sentenceOf(worst)}${othersText(others)}`;
  }
  if (deleted > 0) {
    const verb = deleted === 1 ? 'was' : 'were';
    return `${counted(deleted, 'alarm')} ${verb} deleted by hand, so a fault may go unnoticed.`;
  }
  const count = counted(alarms.count, 'alarm');
  const silent = alarms.without_data.length;
  const gaps = [
    ...(silent === 0 ? [] : [`${silent} of ${count} ${silent === 1 ? 'has' : 'have'} no data yet.`]),
    ...(status.unknown.length === 0 ? [] : ['Not everything could be read.']),
  ];
  const isQuiet = gaps.length + waitingOf(status) + queuedOf(status) === 0;
  const first = isQuiet ? `All quiet: none of ${count} is on.` : 'No alarm is on.';
  return [first, ...gaps, calmText(status)].join(' ');
}

const urgencies: Readonly<Record<FiringAlarm['severity'], string>> = {
  now: 'A person is needed now.',
  today: 'A person is needed today.',
  'this week': 'A person is needed this week.',
};

const urgencyOf = ({ severity }: FiringAlarm): string => urgencies[severity];

const kindWords: Readonly<Record<WaitingKind, string>> = {
  unassigned: 'without a known order',
  quarantined: 'quarantined',
  order_refused: 'of a full order',
  conflict: 'in conflict',
  unrecognised: 'not an event',
  event_name: 'with a new name',
};

/** All that waits in one sentence, when the most urgent alarm is about that; `undefined` otherwise. */
function waitingSentence(waiting: readonly WaitingCount[], worst: FiringAlarm): string | undefined {
  const total = totalOf(waiting);
  if (worst.count === 0 || total === 0) return undefined;
  if (!Object.values<string>(waitingGauges).includes(worst.alarm)) return undefined;
  const kinds = waiting.map(({ kind, mode, count }) => {
    const where = mode === 'sandbox' ? ' in the sandbox' : '';
    return `${count.toLocaleString('en')} ${wordFor(kindWords, kind)}${where}`;
  });
  return `${waitText(total)} ${worst.severity}: ${kinds.join(', ')}.`;
}

/** What an alarm means, and how much it stands for now. */
export function sentenceOf({ meaning, count, counted: what }: FiringAlarm): string {
  if (count === null) return meaning;
  if (count === 0) return `${meaning} Its cause has ended; the alarm ends by itself.`;
  return `${meaning} Now: ${count.toLocaleString('en')} ${what}.`;
}

function othersText(others: readonly FiringAlarm[]): string {
  if (others.length === 0) return '';
  const urgent = others.filter(({ severity }) => severity === 'now').length;
  const also = urgent === 0 ? '' : urgent === others.length ? ', as urgent' : `, ${urgent} as urgent`;
  return ` ${counted(others.length, 'more alarm')} ${others.length === 1 ? 'is' : 'are'} on${also}.`;
}

/** What is known of everything but alarms. */
function calmText(status: ConsoleStatus): string {
  const waiting = waitingOf(status);
  const parts = [
    ...(status.waiting === null ? [] : [waiting === 0 ? 'Nothing waits' : waitText(waiting)]),
    ...(status.queues === null ? [] : [queuesText(status.queues)]),
  ];
  const text = parts.join('; ');
  return text === '' ? 'Nothing else is known.' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function queuesText({ events, dead_letters, feed_failures }: NonNullable<ConsoleStatus['queues']>): string {
  if (events + dead_letters + feed_failures === 0) return 'the queues are empty';
  return [
    ...(events === 0 ? [] : [`${counted(events, 'event')} not recorded yet`]),
    ...(dead_letters === 0 ? [] : [counted(dead_letters, 'dead letter')]),
    ...(feed_failures === 0 ? [] : [`${counted(feed_failures, 'change')} not published`]),
  ].join(', ');
}

const waitText = (total: number): string =>
  `${counted(total, 'thing')} ${total === 1 ? 'waits' : 'wait'} for a person`;

const totalOf = (waiting: readonly WaitingCount[]): number =>
  waiting.reduce((sum, { count }) => sum + count, 0);

const waitingOf = ({ waiting }: ConsoleStatus): number => totalOf(waiting ?? []);

const queuedOf = ({ queues }: ConsoleStatus): number =>
  queues === null ? 0 : queues.dead_letters + queues.feed_failures;

/** Whether the stack has received nothing yet, as far as it can be known. */
export const isUntouched = (status: ConsoleStatus): boolean =>
  status.last_event_at === null &&
  status.waiting?.length === 0 &&
  status.queues?.events === 0 &&
  status.queues.dead_letters === 0;
