import type { Attention, OrderStatus } from '@payhooks/order-client';

/** What an entry did to the state of the order. */
export interface Change {
  /** `null` when nothing is known before. */
  readonly before: OrderStatus | null;
  readonly after: OrderStatus;
  readonly raised: readonly Attention[];
  readonly ended: readonly Attention[];
}

export interface State {
  readonly status: OrderStatus;
  readonly attention: readonly Attention[];
}

export const stateOf = (status: OrderStatus | null, attention: readonly Attention[] | null): State | null =>
  status === null || attention === null ? null : { status, attention };

interface Stated {
  /** The state after it, where it has one of its own; `null`: not computed. */
  readonly state?: State | null;
  /** What an operator ended. */
  readonly resolved?: Attention | null;
}

/** What each entry did to the state that the one before it left. */
export function withChanges<Entry extends Stated>(
  entries: readonly Entry[],
): (Entry & { readonly change: Change | null })[] {
  // Before the first entry nothing was known, which is a state too; after an entry without one it is not.
  let known: State | 'new' | undefined = 'new';
  return entries.map((entry) => {
    const before: State | 'new' | undefined = known;
    const resolved = entry.resolved ?? undefined;
    const state =
      resolved !== undefined && before !== undefined && before !== 'new'
        ? { ...before, attention: before.attention.filter((name) => name !== resolved) }
        : entry.state;
    if (state === undefined || state === null) {
      if (state === null) known = undefined;
      return { ...entry, change: null };
    }
    known = state;
    const was = before === undefined ? state.attention : before === 'new' ? [] : before.attention;
    const change = {
      before: before === undefined || before === 'new' ? null : before.status,
      after: state.status,
      raised: state.attention.filter((name) => !was.includes(name)),
      ended: was.filter((name) => !state.attention.includes(name)),
    };
    return { ...entry, change };
  });
}
