import { type EventMoney, eventText } from '../../lambdas/domain/money-text.ts';

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
