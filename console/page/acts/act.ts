import type { ActResult, Mode, OrderChange } from '@payhooks/order-client';
import { effectOf, whenFree } from '../../contract/texts.ts';
import { ApiError, postApi } from '../data/api.ts';
import { printableId } from '../parts/texts.ts';

/** Waits so many seconds for what a consumer may still be working on. Rejects when the dialog is closed. */
export type Wait = (seconds: number, subject: string) => Promise<void>;

/** An act as data: what its dialog asks for, what it would do, and what it did. */
export interface Act {
  readonly title: string;
  /** Whether the operator names the order, because the event names none. */
  readonly orderField?: 'required' | 'optional';
  /** The order that the field has at first. */
  readonly order?: string | undefined;
  /** An act without an audit row has no reason. */
  readonly hasReason: boolean;
  /** What a caller without it is not allowed to do. */
  readonly permission: string;
  /** The button that names the act and its subject. */
  confirmLabel(order: string | undefined): string;
  /** The dry run. */
  plan(order: string | undefined, wait: Wait): Promise<Plan>;
}

export interface Plan {
  /** What the operator agrees to, as text to compare. */
  readonly effect: string;
  /** What it does, or why it has nothing to do. */
  readonly consequence: string;
  readonly isNeeded: boolean;
  /** What the operator judges, such as the order as it is. */
  readonly context: readonly string[];
  /** What changes apart from orders. */
  readonly lines: readonly string[];
  readonly orders: readonly OrderChange[];
  readonly mode: Mode;
  perform(reason: string, wait: Wait, isRepetition: boolean): Promise<Outcome>;
}

export interface Outcome {
  readonly sentence: string;
  readonly orders: readonly OrderChange[];
  /** The audit row, and whose history shows it. */
  readonly record?: Pick<ActResult, 'by' | 'at' | 'reason' | 'mode'> & Recorded;
}

interface Recorded {
  readonly eventId?: string | null | undefined;
  readonly orderId?: string | null | undefined;
}

/** An act of the operations API. */
export interface Operation<Result> extends Recorded {
  send(fields: object, wait: Wait): Promise<Result>;
  consequence(preview: Result): string;
  unneeded(preview: Result): string;
  /** Such as "Admitted evt-1." */
  done(result: Result): string;
  readonly context?: readonly string[];
}

/** Makes the dry run of an operation; the act is the same request with a reason. */
export async function planOf<Result extends ActResult>(
  operation: Operation<Result>,
  wait: Wait,
): Promise<Plan> {
  const { context = [], eventId, orderId } = operation;
  const preview = await operation.send({ dry_run: true }, wait);
  const { changed, mode, orders } = preview;
  return {
    effect: `${context.join()} ${effectOf(preview)}`,
    consequence: changed ? operation.consequence(preview) : operation.unneeded(preview),
    ...{ isNeeded: changed, context, lines: [], orders, mode },
    async perform(reason, waitAgain, isRepetition) {
      const result = await operation.send({ reason }, waitAgain);
      const isDone = result.changed || isRepetition;
      return {
        sentence: doneSentence(operation.done(result), { preview, result, isRepetition }),
        orders: result.changed ? result.orders : isRepetition ? orders : [],
        ...((isDone || result.act !== 'replay') && { record: { ...result, eventId, orderId } }),
      };
    },
  };
}

interface Done {
  /** Names the caller too. */
  readonly preview: ActResult;
  readonly result: ActResult;
  readonly isRepetition: boolean;
}

/** What an act did. A repetition after a lost response, or a faster operator, finds it done. */
export function doneSentence(done: string, { preview, result, isRepetition }: Done): string {
  if (result.changed) return result.orders.length === 0 ? `${done} No order changes.` : done;
  if (isRepetition && result.by === preview.by) {
    return `${done} The first request had done it, and the repetition changed nothing more.`;
  }
  // No earlier replay stands on an event, unlike a judgement.
  if (result.act === 'replay') return 'Nothing was changed: everything was up to date already.';
  return `Nothing was changed: ${actorOf(result.by)} did it at ${result.at}: ${reasonOf(result)}.`;
}

export const reasonOf = ({ reason }: { readonly reason: string }): string => `"${printableId(reason, 512)}"`;

/** The name at the end of an ARN. */
export const actorOf = (by: string): string => printableId(by.split('/').at(-1) ?? by);

export interface PostedAct {
  readonly path: `/operations/${string}`;
  /** Its fields. */
  readonly body: object;
  /** What a consumer may be working on. */
  readonly subject: string;
  readonly wait: Wait;
}

/** Sends an act, and again when its subject is busy. */
export const postAct = <Result>({ path, body, subject, wait }: PostedAct): Promise<Result> =>
  whenFree({
    request: () => postApi<Result>(path, body),
    retryAfterSecondsOf(error) {
      const seconds = error instanceof ApiError && error.problem['retry_after_seconds'];
      return typeof seconds === 'number' ? seconds : undefined;
    },
    wait: (seconds) => wait(seconds, subject),
  });
