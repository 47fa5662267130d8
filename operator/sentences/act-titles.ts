import type { Proposal } from '@payhooks/order-client';
import { capitalised, type EventMoney, eventText } from '../../lambdas/domain/money-text.ts';

/** What an operator judges: an event, a body that is no event, or an event name. */
export interface Judged extends EventMoney {
  readonly body_sha256: string | null;
  /** It is about every event of the name. */
  readonly isName?: boolean;
}

/** Such as `refund of 20.00 EUR`. */
export function judgedText({ body_sha256, isName, ...event }: Judged): string {
  if (event.event_name === null) return `body ${(body_sha256 ?? '').slice(0, 12)}…`;
  return isName ? `name ${event.event_name}` : eventText(event);
}

/** What a judgement does, such as `Apply refund of 20.00 EUR to order-1001`; the title of its dialog. */
export function judgementTitle(act: 'admit' | 'dismiss', what: string, orderId: string | null): string {
  if (act === 'admit') return `Apply ${what}${orderId === null ? '' : ` to ${orderId}`}`;
  return `Dismiss ${what}${orderId === null ? '' : ` for ${orderId}`}`;
}

/** How text from outside, and an id, are made safe to show. */
interface Shown {
  text(text: string): string;
  id(id: string): string;
}

/** What the proposed act does, such as `Apply refund of 20.00 EUR to order-1`. */
export function proposalTitle({ act, request, events, orders, more }: Proposal, shown: Shown): string {
  // Of several, one may only lose an attention.
  const only = orders.length === 1 && !more ? orders[0]?.order_id : undefined;
  const { event_id, body_sha256, event_name, order_id = only } = request;
  const event = events.find(
    (one) =>
      (event_id === undefined || one.event_id === event_id) &&
      (body_sha256 === undefined || one.body_sha256 === body_sha256),
  );
  if ((act === 'admit' || act === 'dismiss') && event !== undefined) {
    const what = judgedText({ ...event, isName: event_name !== undefined });
    return judgementTitle(act, shown.text(what), typeof order_id === 'string' ? shown.id(order_id) : null);
  }
  const [id] = [event_id, order_id].filter((one) => typeof one === 'string');
  const name = capitalised(act);
  return id === undefined ? name : `${name} ${shown.id(id)}`;
}
