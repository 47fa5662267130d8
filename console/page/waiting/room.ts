import type { Mode, WaitingCount, WaitingKind } from '@payhooks/order-client';
import { waitingKinds } from '../../../lambdas/contract/waiting-kinds.ts';
import { counted, durationText } from '../parts/texts.ts';

/** Everything that waits for a person; `undefined` where that is not known. */
export interface Room {
  readonly mode: Mode;
  /** Of both modes. */
  readonly counts: readonly WaitingCount[];
  readonly attention: { readonly orders: number; readonly hasMore: boolean } | undefined;
  /** Of both modes. */
  readonly deadLetters: number | undefined;
  readonly feedFailures: number | undefined;
}

/** The kinds of which something waits in a mode. */
export function waitingCounts(counts: readonly WaitingCount[], mode: Mode): readonly WaitingCount[] {
  const rank = ({ kind }: WaitingCount): number => waitingKinds.indexOf(kind);
  return counts.filter((one) => one.mode === mode && one.count > 0).toSorted((a, b) => rank(a) - rank(b));
}

export const totalOf = (counts: readonly WaitingCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** What waits and since when, in a sentence. */
export function leadOf({ mode, counts, attention, deadLetters = 0, feedFailures = 0 }: Room, now: number) {
  const parts = [
    eventsPart(waitingCounts(counts, mode), now),
    attentionPart(attention),
    deadLetters === 0 ? '' : `${counted(deadLetters, 'event')} could not be recorded`,
    feedFailures === 0 ? '' : `${counted(feedFailures, 'change')} of orders could not be published`,
  ].filter((part) => part !== '');
  const lead = parts.length === 0 ? 'Nothing waits for a person' : parts.join('; ');
  return `${lead}.${otherModePart(counts, mode)}`;
}

function eventsPart(counts: readonly WaitingCount[], now: number): string {
  const total = totalOf(counts);
  if (total === 0) return '';
  const oldest = counts.flatMap(({ oldest_recorded_at: at }) => (at === null ? [] : [Date.parse(at)]));
  if (oldest.length === 0)
    return `${counted(total, 'event')} ${total === 1 ? 'waits' : 'wait'} for a decision`;
  const age = durationText(Math.max(0, now - Math.min(...oldest)));
  if (total === 1) return `1 event has waited ${age} for a decision`;
  return `${counted(total, 'event')} wait for a decision, the oldest for ${age}`;
}

function attentionPart(attention: Room['attention']): string {
  if (attention === undefined || attention.orders === 0) return '';
  const { orders, hasMore } = attention;
  const least = hasMore ? 'at least ' : '';
  return `${least}${counted(orders, 'order')} ${orders === 1 ? 'needs' : 'need'} attention`;
}

function otherModePart(counts: readonly WaitingCount[], mode: Mode): string {
  const total = totalOf(waitingCounts(counts, mode === 'live' ? 'sandbox' : 'live'));
  if (total === 0) return '';
  const where = mode === 'live' ? 'In the sandbox' : 'In live mode';
  return ` ${where}, ${counted(total, 'event')} ${total === 1 ? 'waits' : 'wait'}.`;
}

/** A fragment that goes on after something else, as a sentence of its own. */
export function asSentence(fragment: string): string {
  const text = `${fragment.charAt(0).toUpperCase()}${fragment.slice(1)}`;
  return text.endsWith('.') ? text : `${text}.`;
}

/** The kind of the address, if it is one. */
export const kindOf = (text: string | undefined): WaitingKind | undefined =>
  waitingKinds.find((kind) => kind === text);
