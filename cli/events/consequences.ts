import type { ActResult, WaitingKind } from '@payhooks/order-client';

interface Consequence {
  readonly admit: string;
  readonly dismiss: string;
}

const noOrder = 'no order gets it.';

/** What a judgement on an event of this kind means. */
const consequences: Readonly<Record<WaitingKind, Consequence>> = {
  unassigned: {
    admit: 'its transaction joins the order, with everything else that waits for it.',
    dismiss: 'no order gets it, unless a payment of its transaction names one later.',
  },
  quarantined: { admit: 'it counts as if it were in order, in the mode of its key.', dismiss: noOrder },
  order_refused: { admit: 'its full order is tried again.', dismiss: noOrder },
  conflict: {
    admit:
      'its order gets this body. Of several bodies in one order, the one that takes it furthest counts; ' +
      'another order keeps the body that it has.',
    dismiss: 'it no longer waits, and the orders stay as they are: one that has this body keeps it.',
  },
  unrecognised: { admit: 'the deployed version reads it again.', dismiss: noOrder },
  event_name: {
    admit: 'its events count with the meaning that the name has now.',
    dismiss: 'its events stay recorded and change no order.',
  },
};

const inItsOrder =
  'it no longer waits. Its order has this body already, and counts the one that takes it furthest.';

export function consequenceOf(judgement: keyof Consequence, { events, orders }: ActResult): string {
  const kind = events.map(({ before }) => before?.waiting).find((waiting) => waiting);
  if (kind === undefined || kind === null) {
    return judgement === 'admit' ? 'it counts after all.' : 'it no longer waits.';
  }
  if (kind === 'conflict' && judgement === 'admit' && orders.length === 0) return inItsOrder;
  return consequences[kind][judgement];
}
