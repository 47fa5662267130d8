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
  judgedText,
  judgementTitle,
  proposalTitle,
  shellQuoted,
  waitingListMax,
} from '../../contract/texts.ts';
import { getApi } from '../data/api.ts';
import { counted, printableId, visibleText } from '../parts/texts.ts';
import { attentionWords, wordFor } from '../parts/words.ts';
import type { Act } from './act.ts';
import { orderField, type Subject, subjectFields } from './choices.ts';

/** Admits or dismisses what waits. */
export function judge(act: 'admit' | 'dismiss', subject: Subject): Act {
  const field = act === 'admit' ? orderField(subject) : undefined;
  const isName = subject.kind === 'event_name';
  const what = visibleText(judgedText({ ...subject, body_sha256: subject.bodySha256, isName }));
  return {
    titleOf(order) {
      const named = order ?? subject.orderId;
      return judgementTitle(act, what, named === null ? null : printableId(named));
    },
    requestOf: (order) => ({
      ...{ act, ...subjectFields(subject) },
      ...(order !== undefined && { order_id: order }),
    }),
    ...(field !== undefined && { orderField: field, order: subject.judged?.order_id ?? '' }),
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
  titleOf: () => `${act === 'admit' ? 'Apply' : 'Dismiss'} ${counted(count, 'event')}`,
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

/** Ends an attention of an order, for the order as the operator sees it. */
export const resolve = (orderId: string, mode: Mode, attention: Attention): Act => ({
  requestOf: () => ({ act: 'resolve', mode, order_id: orderId, attention: [attention] }),
  titleOf: () => `Resolve ${wordFor(attentionWords, attention)} of ${printableId(orderId)}`,
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
  what: string,
): Act => ({
  requestOf: () => ({ act: 'replay', mode, ...subject }),
  titleOf: () => `Replay ${what}`,
});

/** Does what another person has proposed, or ends it. */
export const decide = (act: 'approve' | 'reject', proposal: Proposal): Act => ({
  requestOf: () => ({ act, mode: proposal.mode, id: proposal.id }),
  titleOf: () => `${act === 'approve' ? 'Approve' : 'Reject'}: ${proposedTitle(proposal)}`,
});

/** What the proposed act does, such as `Apply refund of 20.00 EUR to order-1`. */
export const proposedTitle = (proposal: Proposal): string =>
  proposalTitle(proposal, { text: visibleText, id: printableId });

/** The console erases nothing itself. */
export function eraseCommand(name: 'event' | 'order', id: string, mode: Mode): string {
  // An id that begins like an option would be read as one.
  const separator = id.startsWith('-') ? '=' : ' ';
  return `payhooks erase --${name}${separator}${shellQuoted(id)}${mode === 'sandbox' ? ' --sandbox' : ''}`;
}
