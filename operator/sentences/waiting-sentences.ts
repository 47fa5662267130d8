import type { WaitingKind } from '../../lambdas/contract/metrics.ts';

/** What an operator reads about a kind of event that waits, in the command and in the console. */
export interface WaitingSentences {
  /** Goes on after the kind and its count. */
  readonly why: string;
  /** When an operator admits or dismisses it. */
  readonly admitIf: string;
  readonly dismissIf: string;
  /** What that does to the money; goes on after "If you apply the refund, ". */
  readonly admit: string;
  readonly dismiss: string;
}

export const waitingSentences: Readonly<Record<WaitingKind, WaitingSentences>> = {
  unassigned: {
    why: 'they name no order, and we know no payment that does',
    admitIf: 'If you know its order (a later payment of its transaction may name it)',
    dismissIf: 'If it belongs to no order',
    admit: 'its transaction joins the order, with everything else that waits for it.',
    dismiss: 'it is ignored, unless a later payment of its transaction names an order.',
  },
  quarantined: {
    why: 'stored, applied to no order',
    admitIf: 'If it is genuine, apply it',
    dismissIf: 'If it must not count',
    admit:
      'it counts, in the mode of its key: a test event under a live key becomes money that you never got.',
    dismiss: 'it is ignored: if the payment is genuine, its order stays unpaid.',
  },
  order_refused: {
    why: 'their order is full',
    admitIf: 'To try its order again',
    dismissIf: 'If it must not count',
    admit: 'its full order is tried again.',
    dismiss: 'it is ignored.',
  },
  conflict: {
    why: 'another event has the same id',
    admitIf: 'If the body that waits is right, apply it (another order keeps its own body)',
    dismissIf: 'If the body that waits is wrong',
    admit:
      'its order gets this body. Of several, the one that is furthest along (paid, then refunded) counts. ' +
      'Another order keeps its own body.',
    dismiss: 'it no longer waits, and the orders stay as they are.',
  },
  unrecognised: {
    why: 'signed, but payhooks cannot read them',
    admitIf: 'If the deployed version can read it now',
    dismissIf: 'If it is not an event',
    admit: 'the deployed version reads it again.',
    dismiss: 'it is ignored.',
  },
  unsealed: {
    why: 'the verifier did not send them: a stranger writes to the queue, or invokes the consumer',
    admitIf: 'If it is genuine, count it',
    dismissIf: 'If it is forged, or you do not know who sent it',
    admit: 'it counts as if the verifier had accepted it.',
    dismiss: 'it is ignored. If the payment service delivers it too, that delivery counts.',
  },
  event_name: {
    why: 'names that payhooks does not know, each with its first event',
    admitIf: 'If the name has a meaning now',
    dismissIf: 'If the name means nothing for an order',
    admit: 'its events count with the meaning that the name has now.',
    dismiss: 'its events stay recorded and change no order.',
  },
  attention: {
    why: 'orders whose money is in doubt',
    admitIf: 'An order cannot be admitted: resolve its attention',
    dismissIf: 'An order cannot be dismissed: resolve its attention',
    admit: 'nothing changes: an order cannot be admitted.',
    dismiss: 'nothing changes: an order cannot be dismissed.',
  },
};

/** What to do about a name without a meaning, which no act can apply. */
export const adviceOnNames =
  'A name without a meaning: find out what it means, set it in eventMeanings, deploy, and replay.';

/** When to dismiss a conflict within one order: no judgement changes which of its bodies counts. */
export const inOneOrder =
  'The order has both bodies, and no command changes which one counts. Once you know which is true';

/** When an event lacks an order because the deployed version does not find it. */
export const replayIf = 'If the payload has changed: correct payloadPaths in assumptions.ts, deploy, and';

const inItsOrder =
  'it no longer waits. Its order has this body already; the one that is furthest along counts.';

/** The parts of what a dry run responds that decide about the sentence. */
interface Preview {
  readonly events: readonly { readonly before: { readonly waiting: WaitingKind | null } | null }[];
  readonly orders: readonly unknown[];
}

/** What a judgement does to the money; goes on after "If you apply the refund, ". */
export function consequenceOf(judgement: 'admit' | 'dismiss', { events, orders }: Preview): string {
  const [kind] = events.flatMap(({ before }) => before?.waiting ?? []);
  if (kind === undefined) {
    return judgement === 'admit' ? 'it counts after all.' : 'it no longer waits.';
  }
  if (kind === 'conflict' && judgement === 'admit' && orders.length === 0) return inItsOrder;
  return waitingSentences[kind][judgement];
}
