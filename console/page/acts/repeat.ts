import type { Mode, ReplayResult } from '@payhooks/order-client';
import { describeReplay, type WholeReplay, wholeOf } from '../../contract/texts.ts';
import type { DeadLetters, RedriveRequest } from '../../contract.ts';
import { getApi, postApi } from '../data/api.ts';
import { counted, printableId } from '../parts/texts.ts';
import { type Act, planOf, postAct, type Wait } from './act.ts';

/** An event, or all events of an order. */
export interface ReplaySubject {
  readonly mode: Mode;
  readonly eventId?: string;
  readonly orderId?: string;
}

/** Has the stored bodies of an event, or of all events of an order, read again. */
export function replay({ mode, eventId, orderId }: ReplaySubject): Act {
  const name = printableId(eventId ?? orderId ?? '');
  const what = eventId === undefined ? `the events of ${name}` : name;
  const named = eventId === undefined ? { order_id: orderId } : { event_id: eventId };
  /** An order has its events in several pages. */
  async function send(fields: object, wait: Wait): Promise<WholeReplay> {
    const pages: ReplayResult[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const body = { mode, ...named, ...fields, ...(cursor !== undefined && { cursor }) };
      const page = await postAct<ReplayResult>({ path: '/operations/replay', body, subject: name, wait });
      pages.push(page);
      cursor = page.next_cursor;
      if (cursor !== null && page.retry_after_seconds !== null) await wait(page.retry_after_seconds, name);
    }
    return wholeOf(pages);
  }
  return {
    title: `Replay ${what}?`,
    hasReason: true,
    permission: 'execute-api:Invoke on POST /operations/replay',
    confirmLabel: () => `Replay ${what}`,
    plan: (_, wait) =>
      planOf<WholeReplay>(
        {
          send,
          consequence: (preview) =>
            `If you replay ${what}, the deployed version reads what is stored again, and every order gets ` +
            `what it says now. ${describeReplay(preview, 'would be replayed')}`,
          unneeded: (preview) => `${describeReplay(preview, 'would be replayed')} Everything is up to date.`,
          done: (result) => describeReplay(result, 'replayed'),
          ...{ eventId, orderId },
        },
        wait,
      ),
  };
}

/** Moves the dead letters back to the event queue, whose consumer tries each again. */
export const redrive: Act = {
  title: 'Redrive the dead letters?',
  hasReason: false,
  permission: 'sqs:StartMessageMoveTask on the dead-letter queue',
  confirmLabel: () => 'Redrive all dead letters',
  async plan() {
    const letters = await getApi<DeadLetters>('/console/api/dead-letters');
    const { depth, groups, note, redrive: latest } = letters;
    const obstacles = redriveObstacles(letters);
    const unneeded =
      latest?.status === 'RUNNING'
        ? `A redrive is active: ${latest.moved} of ${latest.to_move} moved.`
        : depth === 0
          ? 'The dead-letter queue is empty.'
          : undefined;
    return {
      effect: JSON.stringify([depth, groups.map(({ error }) => error).toSorted()]),
      isNeeded: unneeded === undefined,
      consequence:
        unneeded ??
        `If you redrive, ${depth === 1 ? 'the message moves' : `all ${depth} messages move`} back to the ` +
          'event queue, and the consumer tries each again: an event that it can record now reaches its ' +
          'order. Remove the cause first: what fails comes back.',
      context: [],
      lines: [...groups.map(groupLine), ...(note === null ? [] : [note]), ...obstacles],
      ...{ orders: [], mode: 'live' },
      async perform() {
        const request: RedriveRequest = obstacles.length > 0 ? { again: true } : {};
        await postApi('/console/api/dead-letters/redrive', request);
        return {
          sentence:
            `SQS is moving ${counted(depth, 'message')} back to the event queue. The waiting room shows ` +
            'what comes back. SQS keeps no reason for a redrive; CloudTrail has who started it.',
          orders: [],
        };
      },
    };
  },
};

const groupLine = ({ error, meaning, messages }: DeadLetters['groups'][number]): string =>
  `${messages.length} × ${error}${meaning === '' ? '' : `: ${meaning}`}`;

/** Why a redrive may be in vain: SQS moves all messages or none. */
export function redriveObstacles({ groups }: Pick<DeadLetters, 'groups'>): readonly string[] {
  const letters = groups.flatMap(({ messages }) => messages);
  const redriven = letters.filter(({ redriven_before }) => redriven_before).length;
  const malformed = letters.filter((letter) => letter.malformed).length;
  return [
    redriven === 0 ? '' : `Redriven before, and back: ${counted(redriven, 'message')}.`,
    malformed === 0 ? '' : `The consumer of this version cannot read ${counted(malformed, 'message')}.`,
  ].filter((text) => text !== '');
}
