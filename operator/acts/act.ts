import { createHash } from 'node:crypto';
import { type ActResult, ConflictError, type OperatorAct, type OrderChange } from '@payhooks/order-client';
import { printable } from '../printable.ts';
import { whenFree } from '../when-free.ts';
import type { ActConfirmation, ActOutcome, ActPlan } from './documents.ts';

/**
 * Waits so many seconds for what a consumer may still be working on; `busySentence` describes it. It may
 * reject instead, with what lets the caller go on later.
 */
export type Wait = (seconds: number, subject: string) => Promise<void>;

/** Who performs an act. */
export interface Performer {
  readonly wait: Wait;
  /** Aborts when the response is of no use any more. */
  readonly signal?: AbortSignal | undefined;
}

/** An act of the operations API, about one subject. */
export interface Act<Result extends ActResult = ActResult> {
  /** Such as `Apply refund of 20.00 EUR to order-1?`, after a dry run. */
  question(): string;
  send(given: { readonly dry_run: boolean; readonly reason?: string }): Promise<Result>;
  /** What it does to orders and to what waits. */
  consequence(preview: Result): string | Promise<string>;
  /** Why it has nothing to do. */
  unneeded(preview: Result): string;
  /** Why it cannot be done, though it has something to do. */
  obstacle?(preview: Result): string | undefined;
  /** Such as `Applied refund of 20.00 EUR to order-1.` */
  done(result: Result): string;
  /** What the operator judges. */
  context?(): readonly string[];
  /** What else the operator agrees to, apart from the changes of events and orders. */
  agreed?(preview: Result): unknown;
  /** Whose history shows the audit row. */
  readonly recorded: { readonly event_id?: string | undefined; readonly order_id?: string | undefined };
  /** It reads so much that no second dry run precedes the act. */
  readonly isLong?: boolean;
}

/** The plan of a dry run, with its response. A reason is checked, and not kept. */
export async function planAct(act: Act, reason?: string) {
  const preview = await act.send({ dry_run: true, ...(reason !== undefined && { reason }) });
  const { changed, by, mode, events, orders } = preview;
  const context = act.context?.() ?? [];
  const obstacle = changed ? act.obstacle?.(preview) : undefined;
  const sentence = obstacle ?? (changed ? await act.consequence(preview) : act.unneeded(preview));
  const effect = createHash('sha256')
    .update(JSON.stringify([context, effectOf(preview), act.agreed?.(preview)]))
    .digest('hex');
  const is_possible = obstacle === undefined;
  const plan: ActPlan = {
    ...{ sentence, is_needed: changed, is_possible, by, effect, context, mode, events, orders },
  };
  return { plan, preview };
}

/** What an act does, as text to compare: without the counters that other facts move. */
export const effectOf = ({ events, orders }: Effect): string =>
  JSON.stringify([events, orders], (name, value: unknown) => (name === 'sequence' ? undefined : value));

/** Only the history of the order grows: its status, money and attention stay. */
export const keepsState = ({ before, after }: OrderChange): boolean =>
  before !== null &&
  JSON.stringify([before.status, before.transactions, before.attention]) ===
    JSON.stringify([after.status, after.transactions, after.attention]);

type Effect = Pick<ActPlan, 'events' | 'orders'>;
const none: Effect = { events: [], orders: [] };

export interface Confirmed {
  /** Of the plan that the operator has seen. */
  readonly shown: Pick<ActPlan, 'effect' | 'by'>;
  readonly reason: string;
  /** After a lost response: the first request may have done the act. */
  readonly isRepetition?: boolean;
}

/** The confirmation, with the response that it was made of. */
export type Confirmation = ActConfirmation & { readonly result: ActResult };

/** Acts, if another dry run shows what the operator has seen: a fact may have arrived since. */
export async function confirmAct(act: Act, confirmed: Confirmed): Promise<Confirmation> {
  const { shown, reason, isRepetition = false } = confirmed;
  async function done(result: ActResult, seen = none): Promise<Confirmation> {
    const { changed, by } = result;
    if (result.proposal_id) return { step: 'done', result, outcome: proposedOf(act, result, shown) };
    // The client repeats a request by itself; a replay always has the reason of the request.
    const isRepeated = isRepetition || (result.act !== 'replay' && result.reason === reason);
    const isOfFirst = !changed && isRepeated && by === shown.by;
    // Where nobody did it, the response has the reason of the request: without one, it shows that.
    const isDoubted = isOfFirst && result.act !== 'replay' && result.reason === reason;
    const isOfNobody = isDoubted && (await act.send({ dry_run: true })).reason === '';
    return { step: 'done', result, outcome: outcomeOf(act, { result, seen, isOfFirst, isOfNobody }) };
  }
  if (!act.isLong) {
    const { plan, preview } = await planAct(act, reason);
    if (isRepetition && !plan.is_needed) return done(preview);
    if (plan.effect !== shown.effect) return { step: 'changed', plan, result: preview };
    return done(await act.send({ dry_run: false, reason }), preview);
  }
  return done(await act.send({ dry_run: false, reason }));
}

interface Done {
  readonly result: ActResult;
  /** What the second dry run has shown. */
  readonly seen: Effect;
  /** Nothing was changed now: the first request did it. */
  readonly isOfFirst: boolean;
  /** Nothing was changed now or before: what waited has reached its order by itself. */
  readonly isOfNobody: boolean;
}

function outcomeOf(act: Act, { result, seen, isOfFirst, isOfNobody }: Done): ActOutcome {
  const { changed, by, at, reason, mode } = result;
  const { event_id = null, order_id = null } = act.recorded;
  const isRecorded = changed || (result.act !== 'replay' && !isOfNobody);
  const { events, orders } = changed ? result : isOfFirst && isRecorded ? seen : none;
  return {
    sentence: isOfNobody
      ? `Nothing was changed. ${act.unneeded(result)}`
      : doneSentence(act, { result, isOfFirst }),
    ...{ events, orders },
    record: isRecorded ? { by, at, reason, mode, event_id, order_id } : null,
    proposal: null,
  };
}

/** The same act may have been proposed before, also by another operator. */
function proposedOf(act: Act, result: ActResult, shown: Confirmed['shown']): ActOutcome {
  const { by, at, reason, mode, proposal_id } = result;
  const { event_id = null, order_id = null } = act.recorded;
  const who = by === shown.by ? 'Proposed' : `${actorOf(by)} proposed it at ${at}: ${quoted(reason)}`;
  const sentence = `${who}. Nothing changes until another person approves ${printable(proposal_id ?? '')}.`;
  const record = { by, at, reason, mode, event_id, order_id };
  return { sentence, ...none, record, proposal: proposal_id };
}

/** A repetition after a lost response, or a faster operator, finds the act done. */
function doneSentence(act: Act, { result, isOfFirst }: Pick<Done, 'result' | 'isOfFirst'>): string {
  if (result.changed) return act.done(result);
  // No earlier replay stands on an event, unlike a judgement.
  if (result.act === 'replay') {
    return isOfFirst
      ? `${act.unneeded(result)} The first request may have done it.`
      : 'Nothing was changed: everything was up to date already.';
  }
  if (isOfFirst) {
    return `${act.done(result)} The first request had done it, and the repetition changed nothing more.`;
  }
  return `Nothing was changed: ${actorOf(result.by)} did it at ${result.at}: ${quoted(result.reason)}.`;
}

/** The name at the end of an ARN. */
export const actorOf = (by: string): string => printable(by.split('/').at(-1) ?? by);

/** Such as `kim`, or `kim, proposed by ana`. */
export function actorsOf({ by, proposal }: Pick<OperatorAct, 'by' | 'proposal'>): string {
  const isOfTwo = proposal && proposal.by !== by;
  return isOfTwo ? `${actorOf(by)}, proposed by ${actorOf(proposal.by)}` : actorOf(by);
}

export const quoted = (reason: string): string => `"${printable(reason, 512)}"`;

/** Repeats a request while its subject is busy. */
export const whenSubjectIsFree = <Result>(
  { wait, subject }: { readonly wait: Wait; readonly subject: string },
  request: () => Promise<Result>,
): Promise<Result> =>
  whenFree({
    request,
    retryAfterSecondsOf: (error) => (error instanceof ConflictError ? error.retryAfterSeconds : undefined),
    wait: (seconds) => wait(seconds, subject),
  });
