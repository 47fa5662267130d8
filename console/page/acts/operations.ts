import type {
  Attention,
  Mode,
  Proposal,
  WaitingItem,
  WaitingKind,
  WaitingList,
} from '@payhooks/order-client';
import {
  attentionSentences,
  bulkEventsMax,
  createBulk,
  isResolvable,
  shellQuoted,
  waitingListMax,
} from '../../contract/texts.ts';
import { getApi } from '../data/api.ts';
import { counted, printableId } from '../parts/texts.ts';
import { attentionWords, wordFor } from '../parts/words.ts';
import type { Act } from './act.ts';
import { orderField, type Subject, subjectFields } from './choices.ts';

/** Admits or dismisses what waits. */
export function judge(act: 'admit' | 'dismiss', subject: Subject): Act {
  const field = act === 'admit' ? orderField(subject) : undefined;
  const label = `${act === 'admit' ? 'Admit' : 'Dismiss'} ${nameOf(subject)}`;
  return {
    label,
    requestOf: (order) => ({
      ...{ act, ...subjectFields(subject) },
      ...(order !== undefined && { order_id: order }),
    }),
    ...(field !== undefined && { orderField: field, order: subject.judged?.order_id ?? '' }),
    confirmLabel(order) {
      const named = order ?? subject.orderId;
      return act === 'admit' && named !== null ? `Admit to ${printableId(named)}` : label;
    },
  };
}

interface Chosen {
  readonly mode: Mode;
  readonly kind: WaitingKind;
  readonly count: number;
  /** All that wait as the kind, if they are not given. */
  readonly items: readonly WaitingItem[] | undefined;
}

/** Admits or dismisses several events. */
export const bulk = (act: 'admit' | 'dismiss', { mode, kind, count, items }: Chosen): Act => ({
  label: `${act === 'admit' ? 'Admit' : 'Dismiss'} ${counted(count, 'event')}`,
  bulk: createBulk({ act, mode }, async () => items ?? allOf(kind, mode)),
});

async function allOf(kind: WaitingKind, mode: Mode): Promise<readonly WaitingItem[]> {
  const items: WaitingItem[] = [];
  let cursor: string | undefined;
  do {
    const query = { kind, mode, limit: waitingListMax, cursor };
    const page = await getApi<WaitingList>('/operations/waiting', query);
    items.push(...page.events);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && items.length < bulkEventsMax);
  return items.slice(0, bulkEventsMax);
}

/** What the subject is called. */
export function nameOf({ kind, eventId, eventName, bodySha256 }: Subject): string {
  if (kind === 'event_name') return printableId(eventName ?? '');
  return eventId === null ? `the body ${(bodySha256 ?? '').slice(0, 12)}…` : printableId(eventId);
}

/** Ends an attention of an order, for the order as the operator sees it. */
export const resolve = (orderId: string, mode: Mode, attention: Attention): Act => ({
  requestOf: () => ({ act: 'resolve', mode, order_id: orderId, attention: [attention] }),
  label: `Resolve ${wordFor(attentionWords, attention)} of ${printableId(orderId)}`,
});

/** Why an attention cannot be resolved; `undefined` for one that can. */
export function unresolvable(attention: Attention): string | undefined {
  if (isResolvable(attention)) return undefined;
  const what = attention === 'too_many_events' ? ': settle what did not fit in the order system' : '';
  return `${attentionSentences[attention]} No act ends that${what}.`;
}

/** Has the stored bodies of an event, or of all events of an order, read again. */
export const replay = (
  subject: { readonly event_id: string } | { readonly order_id: string },
  mode: Mode,
): Act => ({
  requestOf: () => ({ act: 'replay', mode, ...subject }),
  label:
    'event_id' in subject
      ? `Replay ${printableId(subject.event_id)}`
      : `Replay the events of ${printableId(subject.order_id)}`,
});

/** Does what another person has proposed, or ends it. */
export const decide = (act: 'approve' | 'reject', { id, mode, act: proposed }: Proposal): Act => ({
  requestOf: () => ({ act, mode, id }),
  label: `${act === 'approve' ? 'Approve' : 'Reject'} the proposal ${id} to ${proposed}`,
});

/** The console erases nothing itself. */
export function eraseCommand(name: 'event' | 'order', id: string, mode: Mode): string {
  // An id that begins like an option would be read as one.
  const separator = id.startsWith('-') ? '=' : ' ';
  return `payhooks erase --${name}${separator}${shellQuoted(id)}${mode === 'sandbox' ? ' --sandbox' : ''}`;
}
