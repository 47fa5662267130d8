import type { ActResult, WaitingKind } from '@payhooks/order-client';

interface Consequence {
  readonly admit: string;
  readonly dismiss: string;
}

const noOrder = 'No order gets it.';

/** What a judgement on an event of this kind means. */
const consequences: Readonly<Record<WaitingKind, Consequence>> = {
  unassigned: {
    admit: 'Its transaction joins the order, with everything else that waits for it.',
    dismiss: 'No order gets it, unless a payment of its transaction names one later.',
  },
  quarantined: { admit: 'It counts as if it were in order, in the mode of its key.', dismiss: noOrder },
  order_refused: { admit: 'Its full order is tried again.', dismiss: noOrder },
  conflict: {
    admit: 'Its order gets this body too, and counts the one that takes it furthest.',
    dismiss: 'No order gets this body; the first one under its id stays.',
  },
  unrecognised: { admit: 'The deployed version reads it again.', dismiss: noOrder },
  event_name: {
    admit: 'Its events count with the meaning that the name has now.',
    dismiss: 'Its events stay recorded and change no order.',
  },
};

export function consequenceOf(judgement: keyof Consequence, { events }: ActResult): string {
  const kind = events.map(({ before }) => before?.waiting).find((waiting) => waiting);
  return kind ? ` ${consequences[kind][judgement]}` : '';
}
