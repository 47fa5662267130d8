import type { ActResult, OperationsClient } from '@payhooks/order-client';
import { printable } from '../printable.ts';
import { judgedText, judgementTitle } from '../sentences/act-titles.ts';
import { consequenceOf } from '../sentences/waiting-sentences.ts';
import { type Act, actorOf, type Performer, quoted, whenSubjectIsFree } from './act.ts';
import type { ActRequest } from './documents.ts';
import { describeUnsealed, type UnsealedParts } from './unsealed.ts';

type Judgement = Extract<ActRequest, { readonly act: 'admit' | 'dismiss' }>;

const verbs = { admit: ['apply', 'Applied'], dismiss: ['dismiss', 'Dismissed'] } as const;

/** Admits or dismisses what waits. */
export function judge(
  operations: Pick<OperationsClient, 'admit' | 'dismiss'> & UnsealedParts['operations'],
  { act, ...request }: Judgement,
  { wait, signal, readKeys }: Performer & Pick<UnsealedParts, 'readKeys'>,
): Act {
  const [verb, done] = verbs[act];
  const name = nameOf(request);
  const orderId = 'order_id' in request ? request.order_id : undefined;
  // The money, once a dry run has shown it.
  let what: string | undefined;
  let toOrder = orderId;
  const title = (): string => judgementTitle(act, what ?? name, toOrder ?? null);
  return {
    question: () => `${printable(title(), titleMax)}?`,
    async send(given) {
      const result = await whenSubjectIsFree({ wait, subject: name }, () =>
        operations[act]({ ...request, ...given }, { signal }),
      );
      const event = result.events.find(isOf(request));
      if (event)
        what = printable(judgedText({ ...event, isName: request.event_name !== undefined }), titleMax);
      const [order, ...others] = result.orders;
      if (orderId === undefined && order && others.length === 0) toOrder = order.order_id;
      return result;
    },
    async consequence(given) {
      // Others may join with what is judged, such as a refund that waits for its payment.
      const preview = { ...given, events: given.events.filter(isOf(request)) };
      const notes = act === 'admit' ? [await dismissalOf({ operations, signal }, request, preview)] : [];
      const hash = preview.events.find(({ before }) => before?.waiting === 'unsealed')?.body_sha256;
      if (hash != null) {
        const unsealed = { body_sha256: hash, mode: request.mode };
        notes.push(await describeUnsealed({ operations, readKeys, signal }, unsealed));
      }
      const subject = what === undefined ? name : `the ${what}`;
      const sentence = `If you ${verb} ${subject}, ${consequenceOf(act, preview)}`;
      return [sentence, newOrderOf(preview, orderId), ...notes].filter((text) => text !== '').join(' ');
    },
    unneeded: () => `${name} does not wait.`,
    done: () => `${printable(title().replace(/^\w+/, done), titleMax)}.`,
    recorded: { event_id: request.event_id, order_id: orderId },
  };
}

const titleMax = 200;

interface Subject {
  readonly mode?: Judgement['mode'];
  readonly event_id?: string | undefined;
  readonly body_sha256?: string | undefined;
  readonly event_name?: string | undefined;
}

const isOf =
  ({ event_id, body_sha256 }: Subject) =>
  (event: ActResult['events'][number]): boolean =>
    (event_id === undefined || event.event_id === event_id) &&
    (body_sha256 === undefined || event.body_sha256 === body_sha256);

const nameOf = ({ event_id, body_sha256 = '', event_name }: Subject): string =>
  printable(event_name ?? event_id ?? `body ${body_sha256.slice(0, 12)}…`);

/** A mistyped order id would be an order of its own. */
const newOrderOf = ({ orders }: ActResult, named: string | undefined): string =>
  orders.some(({ order_id, before }) => order_id === named && before === null)
    ? `${printable(named ?? '')} is a new order, which no event has named: check its id.`
    : '';

/** What no longer waits was dismissed: an operator who admits it overrides another one. */
async function dismissalOf(
  { operations, signal }: { operations: Pick<OperationsClient, 'event'>; signal: AbortSignal | undefined },
  { event_id, body_sha256: hash, mode }: Subject,
  { events }: ActResult,
): Promise<string> {
  if (events.some(({ before }) => before?.waiting)) return '';
  if (event_id === undefined) return 'An operator has dismissed it.';
  const { records } = await operations.event(event_id, { mode, signal });
  const judged = records
    .filter(({ body_sha256 }) => hash === undefined || body_sha256 === hash)
    .find((record) => record.judged?.verdict === 'dismissed')?.judged;
  return judged ? `${actorOf(judged.by)} dismissed it at ${judged.at}: ${quoted(judged.reason)}.` : '';
}
