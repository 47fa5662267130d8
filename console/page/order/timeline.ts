import type {
  Attention,
  OrderAct,
  OrderEventDetail,
  OrderEvents,
  OtherBody,
  WaitingEvent,
  WaitingKind,
} from '@payhooks/order-client';
import { moneyText } from '../../contract/texts.ts';
import type { FeedMessage } from '../../contract.ts';
import type { IconName } from '../parts/icons.ts';
import { titleOfEvent, visibleText } from '../parts/texts.ts';
import { attentionWords, reasonWords, statusWords, wordFor } from '../parts/words.ts';
import { type Change, type State, stateOf, withChanges } from './changes.ts';

/** Something that happened to an order, in words. */
export interface TimelineEntry {
  readonly key: string;
  /** When it was received or done; `null` when that is not known any more. */
  readonly at: string | null;
  readonly recordedAt?: string | null;
  readonly icon: IconName;
  /** A class of pills.css. */
  readonly tone: string;
  readonly title: string;
  readonly aside?: string;
  readonly note?: string;
  readonly eventId?: string | null;
  readonly transactionId?: string | null;
  readonly waits?: WaitingKind | null;
  /** The body to compare with the one that counts. */
  readonly otherSha256?: string;
  /** The state after it, where it has one of its own; `null`: not computed. */
  readonly state?: State | null;
  /** What an operator ended. */
  readonly resolved?: Attention | null;
  readonly change: Change | null;
}
type Entry = Omit<TimelineEntry, 'change'>;
type Details = Pick<OrderEvents, 'events' | 'waiting' | 'acts'>;

/** Everything that happened to an order, oldest first; what has no time came first. */
export function timelineOf(details: Details, messages: readonly FeedMessage[] = []): TimelineEntry[] {
  const { events, waiting, acts } = details;
  const kinds = new Map(waiting.map((one) => [keyOf(one.event_id, one.body_sha256), one.kind]));
  const entries = [
    ...events.flatMap((event) => [
      eventEntry(event, kinds.get(keyOf(event.id, event.body_sha256)) ?? null),
      ...(event.others ?? []).map((body) => bodyEntry(event, body)),
    ]),
    ...acts.map(actEntry),
    ...messages.map(messageEntry),
  ];
  const shown = new Set(entries.map(({ key }) => key));
  const unnamed = waiting.map(waitingEntry).filter(({ key }) => !shown.has(key));
  return withChanges([...entries, ...unnamed].toSorted(byTime));
}

const keyOf = (eventId: string, sha256: string | null): string => `${sha256} ${eventId}`;

/** By time of receipt, then of storage. */
function byTime(a: Entry, b: Entry): number {
  const [left, right] = [`${a.at ?? ''} ${a.recordedAt ?? ''}`, `${b.at ?? ''} ${b.recordedAt ?? ''}`];
  return left === right ? 0 : left < right ? -1 : 1;
}

const looks: Readonly<Record<string, readonly [icon: IconName, tone: string]>> = {
  paid: ['check', 'good'],
  refunded: ['return', 'status-refunded'],
  failed: ['cross', 'status-failed'],
  disputed: ['alert', 'attention'],
};

function eventEntry(event: OrderEventDetail, waits: WaitingKind | null): Entry {
  const { id, meaning, transaction_id, received_at, recorded_at, status_after, attention_after } = event;
  const look = looks[meaning ?? ''];
  const [icon = 'circle', tone = ''] = look ?? [];
  return {
    ...{ key: keyOf(id, event.body_sha256), at: received_at, recordedAt: recorded_at, icon, tone, waits },
    title: titleOfEvent(event),
    aside: look === undefined ? 'changed nothing about the money' : visibleText(event.event_name),
    ...(event.counts === false && {
      note: 'No stored body says what counts; the times are those of the first body.',
    }),
    ...{ eventId: id, transactionId: transaction_id, state: stateOf(status_after, attention_after) },
  };
}

function bodyEntry({ id }: OrderEventDetail, body: OtherBody): Entry {
  const { body_sha256, received_at, recorded_at, waiting, status_after, attention_after } = body;
  const sum = moneyText(body);
  const state = stateOf(status_after, attention_after);
  return {
    ...{ key: keyOf(id, body_sha256), at: received_at, recordedAt: recorded_at, waits: waiting },
    ...(waiting === null ? { icon: 'copy', tone: '' } : { icon: 'alert', tone: 'attention' }),
    title: ['A different version of this event', ...(sum ? [`of ${visibleText(sum)}`] : [])].join(', '),
    note: sentenceOf(body),
    ...{ eventId: id, otherSha256: body_sha256, ...(state !== null && { state }) },
  };
}

function sentenceOf({ outcome, reason, waiting }: OtherBody): string {
  if (reason !== null) return `It was not applied: ${wordFor(reasonWords, reason)}.`;
  if (outcome === 'applied') return 'The order has it, and counts another body under its id.';
  const waits = waiting === null ? 'A person has judged it.' : 'It waits for a person.';
  return `It differs from the version that counts. ${waits}`;
}

const waitingEntry = ({
  event_id,
  body_sha256,
  kind,
  reason,
  received_at,
  ...event
}: WaitingEvent): Entry => ({
  ...{ key: keyOf(event_id, body_sha256), at: received_at, icon: 'waiting', tone: 'waiting', waits: kind },
  ...{ title: `${titleOfEvent(event)} waits for a person`, eventId: event_id },
  ...(reason !== null && { note: `${wordFor(reasonWords, reason)}.` }),
});

const actWords: Readonly<Record<string, string>> = {
  admit: 'applied an event',
  dismiss: 'dismissed an event',
  resolve: 'resolved',
  replay: 'had stored bodies read again',
  erase: 'erased customer data',
};

function actEntry({ act, by, at, reason, attention, event_id }: OrderAct, n: number): Entry {
  const what = attention === null ? '' : ` “${wordFor(attentionWords, attention)}”`;
  return {
    ...{ key: `act ${n} ${at}`, at, icon: 'person', tone: 'by-person' },
    title: `${visibleText(by.split('/').at(-1) ?? by)} ${wordFor(actWords, act)}${what}`,
    ...{ note: `“${visibleText(reason)}”`, eventId: event_id },
    ...(act === 'resolve' && { resolved: attention as Attention | null }),
  };
}

function messageEntry({ id, at, status, previous_status, sequence }: FeedMessage): Entry {
  const word = (name: string | null): string => (name === null ? 'new' : wordFor(statusWords, name));
  const change = previous_status === status ? '' : `${word(previous_status)} → `;
  return {
    ...{ key: `message ${id}`, at, icon: 'send', tone: '' },
    title: `Published to the order feed: ${change}${word(status)}, sequence ${sequence}`,
  };
}
