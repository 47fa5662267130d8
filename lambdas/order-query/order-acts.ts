import type { Act, ActName } from '../ports/acts.ts';

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

/** The history of an order, oldest first, with an entry for each attention that a resolution is about. */
export const orderActs = (acts: readonly Act[]): OrderAct[] =>
  acts.flatMap(({ act, by, at, reason, eventId, orderId, bodySha256, attention }) =>
    (attention ?? [null]).map((name) => ({
      ...{ act, by, at, reason },
      event_id: eventId ?? null,
      order_id: orderId ?? null,
      body_sha256: bodySha256 ?? null,
      attention: name,
    })),
  );
