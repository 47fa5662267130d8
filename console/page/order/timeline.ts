import type {
  Attention,
  OrderAct,
  OrderEventDetail,
  OrderEvents,
  OrderStatus,
  OtherBody,
  WaitingEvent,
  WaitingKind,
} from '@payhooks/order-client';
import type { FeedMessage } from '../../contract.ts';
import { type Role, rolesOf } from './roles.ts';

/** What an entry did to the state of the order. */
export interface Change {
  /** `null` when nothing is known before, or when it was not computed. */
  readonly before: OrderStatus | null;
  readonly after: OrderStatus | null;
  readonly raised: readonly Attention[];
  readonly ended: readonly Attention[];
}

export type Content =
  /** The body that counts under an event id. */
  | {
      readonly kind: 'event';
      readonly event: OrderEventDetail;
      readonly role: Role;
      readonly waiting: WaitingKind | null;
    }
  /** Another body under the id of an event. */
  | { readonly kind: 'body'; readonly event: OrderEventDetail; readonly body: OtherBody }
  | { readonly kind: 'waiting'; readonly waiting: WaitingEvent }
  | { readonly kind: 'act'; readonly act: OrderAct };

export type TimelineEntry = Content & {
  readonly key: string;
  /** When it was received or done; `null` when that is not known any more. */
  readonly at: string | null;
  /** From receipt to record; `null` for an act, and when it is not known. */
  readonly recordedInMilliseconds: number | null;
  readonly change: Change | null;
  /** What the order feed published about it. */
  readonly messages: readonly FeedMessage[];
};

type Dated = Content & Pick<TimelineEntry, 'key' | 'at'> & { readonly recordedAt: string | null };

/** Everything that happened to an order, oldest first. */
export function timelineOf(
  details: Pick<OrderEvents, 'events' | 'waiting' | 'acts' | 'reasons'>,
  messages: readonly FeedMessage[] = [],
): readonly TimelineEntry[] {
  const dated = [...eventEntries(details), ...waitingEntries(details), ...details.acts.map(actEntry)];
  const sorted = dated.toSorted(byTime);
  const changes = changesOf(sorted);
  const published = attach(sorted, changes, messages);
  return sorted.map(({ recordedAt, ...entry }, n): TimelineEntry => {
    const took =
      recordedAt === null || entry.at === null ? null : Date.parse(recordedAt) - Date.parse(entry.at);
    const change = changes[n] ?? null;
    return { ...entry, recordedInMilliseconds: took, change, messages: published[n] ?? [] };
  });
}

function eventEntries({
  events,
  waiting,
  reasons,
}: Pick<OrderEvents, 'events' | 'waiting' | 'reasons'>): Dated[] {
  const roles = rolesOf(reasons);
  const kinds = new Map(
    waiting.map(({ event_id, body_sha256, kind }) => [`${body_sha256} ${event_id}`, kind]),
  );
  return events.flatMap((event): Dated[] => [
    {
      kind: 'event',
      key: `event ${event.id}`,
      ...{ event, role: roles.get(event.id) ?? 'none' },
      waiting: kinds.get(`${event.body_sha256} ${event.id}`) ?? null,
      ...{ at: event.received_at, recordedAt: event.recorded_at },
    },
    ...(event.others ?? []).map(
      (body): Dated => ({
        kind: 'body',
        key: `body ${body.body_sha256} ${body.outcome} ${event.id}`,
        ...{ event, body, at: body.received_at, recordedAt: body.recorded_at },
      }),
    ),
  ]);
}

/** Those that are not among the bodies of the events. */
function waitingEntries({ events, waiting }: Pick<OrderEvents, 'events' | 'waiting'>): Dated[] {
  const known = new Set(
    events.flatMap(({ id, body_sha256, others }) =>
      [body_sha256, ...(others ?? []).map((other) => other.body_sha256)].map((sha256) => `${sha256} ${id}`),
    ),
  );
  return waiting
    .filter(({ event_id, body_sha256 }) => !known.has(`${body_sha256} ${event_id}`))
    .map((one) => ({
      kind: 'waiting',
      key: `waiting ${one.body_sha256} ${one.event_id}`,
      ...{ waiting: one, at: one.received_at, recordedAt: null },
    }));
}

const actEntry = (act: OrderAct, n: number): Dated => ({
  kind: 'act',
  key: `act ${n} ${act.at}`,
  ...{ act, at: act.at, recordedAt: null },
});

/** By time of receipt, then of storage; what has no time came first. */
function byTime(a: Dated, b: Dated): number {
  const [left, right] = [`${a.at ?? ''} ${a.recordedAt ?? ''}`, `${b.at ?? ''} ${b.recordedAt ?? ''}`];
  return left === right ? 0 : left < right ? -1 : 1;
}

interface State {
  readonly status: OrderStatus;
  readonly attention: readonly Attention[];
}

/** The state after an entry, where it has one of its own. */
function stateAfter(entry: Dated): State | undefined {
  if (entry.kind !== 'event' && entry.kind !== 'body') return undefined;
  const { status_after: status, attention_after: attention } =
    entry.kind === 'event' ? entry.event : entry.body;
  return status === null || attention === null ? undefined : { status, attention };
}

function changesOf(entries: readonly Dated[]): readonly (Change | null)[] {
  // Before the first entry nothing was known, which is a state too; after an entry without one it is not.
  let state: State | 'new' | undefined = 'new';
  return entries.map((entry): Change | null => {
    if (entry.kind === 'act') {
      const ended = resolvedBy(entry.act);
      if (ended === undefined || state === undefined || state === 'new') return null;
      const { status, attention }: State = state;
      state = { status, attention: attention.filter((name) => name !== ended) };
      return { before: status, after: status, raised: [], ended: [ended] };
    }
    const after = stateAfter(entry);
    if (after === undefined) {
      if (entry.kind === 'event') state = undefined;
      return null;
    }
    const before: State | 'new' | undefined = state;
    state = after;
    if (before === undefined) return { before: null, after: after.status, raised: [], ended: [] };
    const known = before === 'new' ? [] : before.attention;
    return {
      before: before === 'new' ? null : before.status,
      after: after.status,
      raised: after.attention.filter((name) => !known.includes(name)),
      ended: known.filter((name) => !after.attention.includes(name)),
    };
  });
}

const resolvedBy = ({ act, attention }: OrderAct): Attention | undefined =>
  act === 'resolve' && attention !== null ? (attention as Attention) : undefined;

/** Each message with the latest change before it; of several, with the one whose event it names. */
function attach(
  entries: readonly Dated[],
  changes: readonly (Change | null)[],
  messages: readonly FeedMessage[],
): readonly (readonly FeedMessage[])[] {
  const attached: FeedMessage[][] = entries.map(() => []);
  for (const message of messages) {
    const causes = causesOf(message);
    const before = entries.flatMap((entry, n) =>
      // The change of an old event is not computed.
      (changes[n] !== null || entry.kind === 'event') && (entry.recordedAt ?? entry.at ?? '') <= message.at
        ? [n]
        : [],
    );
    const named = before.findLast((n) => causes.has(eventIdOf(entries[n])));
    attached[named ?? before.at(-1) ?? 0]?.push(message);
  }
  return attached;
}

const eventIdOf = (entry: Dated | undefined): string | undefined =>
  entry?.kind === 'event' || entry?.kind === 'body' ? entry.event.id : undefined;

/** The ids of the events that a message names; only local mode keeps them. */
function causesOf({ body }: FeedMessage): ReadonlySet<string | undefined> {
  const { caused_by = [] } = (body ?? {}) as { readonly caused_by?: readonly { readonly id: string }[] };
  return new Set(caused_by.map(({ id }) => id));
}
