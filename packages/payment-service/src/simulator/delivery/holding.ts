import { disorder, type Random } from './random.ts';

/** Sends, and resolves once the first attempt is over. */
export type Send = () => Promise<unknown>;

export interface Holding {
  /** Holds a notification back until `size` of its kind wait. */
  add(kind: 'reorder' | 'burst', size: number, send: Send): void;
  /** Lets go of everything, however few wait. */
  flush(): void;
}

export function createHolding(random: Random): Holding {
  const waiting = { reorder: [] as Send[], burst: [] as Send[] };
  const release = (kind: 'reorder' | 'burst'): void => {
    const sends = waiting[kind].splice(0);
    if (kind === 'burst') for (const send of sends) void send();
    else void inTurn(disorder(sends, random));
  };
  return {
    add(kind, size, send) {
      waiting[kind].push(send);
      if (waiting[kind].length >= size) release(kind);
    },
    flush() {
      release('burst');
      release('reorder');
    },
  };
}

/** One first attempt after another: side by side they could overtake each other back into order. */
async function inTurn(sends: readonly Send[]): Promise<void> {
  for (const send of sends) await send();
}
