import { parseFact } from '../domain/fact.ts';
import type { Act, ActName } from '../ports/acts.ts';
import type { OrderRow } from '../ports/stores.ts';

/** What an operator did that concerns an order: who, when and why. */
export interface OrderAct {
  readonly act: ActName;
  /** The IAM identity. */
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  readonly event_id: string | null;
  readonly order_id: string | null;
  readonly body_sha256: string | null;
  /** What a resolution is about. */
  readonly attention: string | null;
}

/** The history of an order, oldest first: the acts on its events, and the resolutions in its facts. */
export function orderActs({ order, facts }: OrderRow, acts: readonly Act[]): OrderAct[] {
  const resolutions = facts.map(parseFact).flatMap((fact): OrderAct[] => {
    if (fact.kind !== 'resolved') return [];
    const { by, at, reason, attention } = fact;
    return [
      { act: 'resolve', by, at, reason, event_id: null, order_id: order.id, body_sha256: null, attention },
    ];
  });
  return [...acts.map(actView), ...resolutions].toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

export const actView = ({ act, by, at, reason, eventId, orderId, bodySha256 }: Act): OrderAct => ({
  ...{ act, by, at, reason },
  event_id: eventId ?? null,
  order_id: orderId ?? null,
  body_sha256: bodySha256 ?? null,
  attention: null,
});
