import type { ActResult, Attention } from '@payhooks/order-client';
import { attentionSentences } from '../../../lambdas/contract/attention-sentences.ts';
import { consequenceOf } from '../../../lambdas/contract/waiting-sentences.ts';
import { isResolvable } from '../../../lambdas/domain/attention.ts';
import { attentionWords, wordFor } from '../parts/words.ts';
import type { Subject } from './choices.ts';
import { diffOf, type OrderDiff } from './money-diff.ts';
import { printableId } from './printable-id.ts';

/** What the subject is called inside a sentence. */
export function nameOf({ kind, eventId, eventName, bodySha256 }: Subject): string {
  if (kind === 'event_name') return printableId(eventName ?? '');
  return eventId === null ? `the body ${(bodySha256 ?? '').slice(0, 12)}…` : printableId(eventId);
}

/** What an admission or dismissal does to the money, and what to check before it. */
export function judgementSentence(act: 'admit' | 'dismiss', subject: Subject, preview: ActResult): string {
  const dismissal = act === 'admit' ? dismissalOf(subject) : '';
  const consequence = `If you ${act} ${nameOf(subject)}, ${consequenceOf(act, preview)}${dismissal}`;
  const created = preview.orders.filter(({ before }) => before === null && act === 'admit');
  const isNamed = (id: string): boolean => id === subject.orderId;
  const unknown = created
    .filter(({ order_id: id }) => !isNamed(id))
    .map(({ order_id: id }) => printableId(id));
  if (unknown.length === 0) return consequence;
  return `${consequence} ${unknown.join(', ')} is a new order, which no event has named: check its id.`;
}

/** An operator who admits what was dismissed overrides another one. */
function dismissalOf({ judged }: Subject): string {
  if (judged?.verdict !== 'dismissed') return '';
  return ` ${actorOf(judged.by)} dismissed it at ${judged.at}: ${reasonOf(judged)}.`;
}

const reasonOf = ({ reason }: { readonly reason: string }): string => `"${printableId(reason, 512)}"`;

/** The name at the end of an ARN. */
const actorOf = (by: string): string => printableId(by.split('/').at(-1) ?? by);

/** Such as "Admit to order-1001": a button names what it does. */
export function judgementLabel(act: 'admit' | 'dismiss', subject: Subject, orderId: string | null): string {
  if (act === 'admit' && orderId !== null) return `Admit to ${printableId(orderId)}`;
  return `${act === 'admit' ? 'Admit' : 'Dismiss'} ${nameOf(subject)}`;
}

/** What an act changes in orders, for people who do not see the table: one sentence for each of a few. */
export function effectSentence({ orders }: Pick<ActResult, 'orders'>): string {
  if (orders.length === 0) return 'No order changes.';
  if (orders.length > 3) return `${orders.length} orders change.`;
  return orders.map((change) => orderSentence(diffOf(change))).join(' ');
}

function orderSentence({ orderId, before, after, isHistoryOnly, raised, ended }: OrderDiff): string {
  const name = printableId(orderId);
  const words = after.replaceAll('_', ' ');
  if (isHistoryOnly) return `${name} stays ${words}; only its history grows.`;
  const status =
    before === null
      ? `is a new order, ${words}`
      : before === after
        ? `stays ${words}`
        : `changes from ${before.replaceAll('_', ' ')} to ${words}`;
  const listed = raised.length === 0 ? '' : `; it then lists ${raised.map(quoted).join(', ')}`;
  const left = ended.length === 0 ? '' : `; it no longer lists ${ended.map(quoted).join(', ')}`;
  return `${name} ${status}${listed}${left}.`;
}

/** An attention as its badge shows it. */
export const quoted = (attention: Attention): string => `“${wordFor(attentionWords, attention)}”`;

export const resolutionSentence = (orderId: string, attention: Attention): string =>
  `If you resolve it, ${printableId(orderId)} no longer lists ${quoted(attention)}, until a new fact ` +
  'arrives. No money moves.';

/** Why an attention cannot be resolved; `undefined` for one that can. */
export function unresolvable(attention: Attention): string | undefined {
  if (isResolvable(attention)) return undefined;
  const what = attention === 'too_many_events' ? ': settle what did not fit in the order system' : '';
  return `${attentionSentences[attention]} No act ends that${what}.`;
}

/** What an act did. A repetition after a lost response, or a faster operator, finds it done. */
export function doneSentence(done: string, { preview, result, isRepetition }: Done): string {
  if (result.changed) return `${done} ${effectSentence(result)}`;
  if (isRepetition && result.by === preview.by) {
    return `${done} The first request had done it, and the repetition changed nothing more.`;
  }
  // No earlier replay stands on an event, unlike a judgement.
  if (result.act === 'replay') return 'Nothing was changed: everything was up to date already.';
  return `Nothing was changed: ${actorOf(result.by)} did it at ${result.at}: ${reasonOf(result)}.`;
}

interface Done {
  /** Names the caller too. */
  readonly preview: ActResult;
  readonly result: ActResult;
  readonly isRepetition: boolean;
}
