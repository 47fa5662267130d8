import type { ActResult, Attention, Mode, Order } from '@payhooks/order-client';
import { attentionSentences, consequenceOf, isResolvable } from '../../contract/texts.ts';
import { getApi } from '../data/api.ts';
import { apiPath } from '../data/href.ts';
import { printableId } from '../parts/texts.ts';
import { attentionWords, wordFor } from '../parts/words.ts';
import { type Act, actorOf, planOf, postAct, reasonOf } from './act.ts';
import { transactionLine } from './change-lines.ts';
import { admitChoice, type Subject, subjectFields } from './choices.ts';

const words = {
  admit: { verb: 'Admit', done: 'Admitted' },
  dismiss: { verb: 'Dismiss', done: 'Dismissed' },
} as const;

/** Admits or dismisses what waits. */
export function judge(act: 'admit' | 'dismiss', subject: Subject): Act {
  const choice = admitChoice(subject);
  const field = act === 'admit' && choice.isOffered ? choice.order : 'none';
  const name = nameOf(subject);
  return {
    title: `${words[act].verb} ${name}?`,
    ...(field !== 'none' && { orderField: field, order: subject.judged?.order_id ?? '' }),
    hasReason: true,
    permission: `execute-api:Invoke on POST /operations/${act}`,
    confirmLabel(order) {
      const named = order ?? subject.orderId;
      return act === 'admit' && named !== null
        ? `Admit to ${printableId(named)}`
        : `${words[act].verb} ${name}`;
    },
    plan: (order, wait) =>
      planOf<ActResult>(
        {
          send(fields, waitFor) {
            const body = { ...subjectFields(subject), ...(order && { order_id: order }), ...fields };
            return postAct({ path: `/operations/${act}`, body, subject: name, wait: waitFor });
          },
          consequence: (preview) => judgementSentence(act, subject, preview),
          unneeded: () => `${name} does not wait any more.`,
          done: () => `${words[act].done} ${name}.`,
          ...{ eventId: subject.eventId, orderId: order ?? subject.orderId },
        },
        wait,
      ),
  };
}

/** What the subject is called inside a sentence. */
export function nameOf({ kind, eventId, eventName, bodySha256 }: Subject): string {
  if (kind === 'event_name') return printableId(eventName ?? '');
  return eventId === null ? `the body ${(bodySha256 ?? '').slice(0, 12)}…` : printableId(eventId);
}

/** What an admission or dismissal does to the money, and what to check before it. */
export function judgementSentence(act: 'admit' | 'dismiss', subject: Subject, preview: ActResult): string {
  const dismissal = act === 'admit' ? dismissalOf(subject) : '';
  const consequence = `If you ${act} ${nameOf(subject)}, ${consequenceOf(act, preview)}${dismissal}`;
  const unknown = preview.orders
    .filter(({ before, order_id }) => act === 'admit' && before === null && order_id !== subject.orderId)
    .map(({ order_id: id }) => printableId(id));
  if (unknown.length === 0) return consequence;
  return `${consequence} ${unknown.join(', ')} is a new order, which no event has named: check its id.`;
}

/** An operator who admits what was dismissed overrides another one. */
function dismissalOf({ judged }: Subject): string {
  if (judged?.verdict !== 'dismissed') return '';
  return ` ${actorOf(judged.by)} dismissed it at ${judged.at}: ${reasonOf(judged)}.`;
}

/** Ends an attention of an order, for the order as the operator sees it. */
export function resolve(orderId: string, mode: Mode, attention: Attention): Act {
  const name = printableId(orderId);
  const quoted = `“${wordFor(attentionWords, attention)}”`;
  return {
    title: `Resolve an attention of ${name}?`,
    hasReason: true,
    permission: 'execute-api:Invoke on POST /operations/resolve',
    confirmLabel: () => `Resolve ${quoted}`,
    async plan(_, wait) {
      const { sequence, transactions } = await getApi<Order>(apiPath.order(orderId), { mode });
      return planOf<ActResult>(
        {
          send(fields, waitFor) {
            const body = { mode, order_id: orderId, sequence, attention: [attention], ...fields };
            return postAct({ path: '/operations/resolve', body, subject: name, wait: waitFor });
          },
          context: [attentionSentences[attention], ...transactions.map(transactionLine)],
          consequence: () =>
            `If you resolve it, ${name} no longer lists ${quoted}, until a new fact arrives. No money moves.`,
          unneeded: () => `${name} does not list ${quoted} any more.`,
          done: () => `Resolved ${quoted}.`,
          orderId,
        },
        wait,
      );
    },
  };
}

/** Why an attention cannot be resolved; `undefined` for one that can. */
export function unresolvable(attention: Attention): string | undefined {
  if (isResolvable(attention)) return undefined;
  const what = attention === 'too_many_events' ? ': settle what did not fit in the order system' : '';
  return `${attentionSentences[attention]} No act ends that${what}.`;
}
