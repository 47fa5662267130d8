import { disorder, type Random } from './random.ts';

/** Sends, and resolves after the first attempt. */
type Send = () => Promise<unknown>;

/** Holds notifications back until `size` of their kind wait. */
export function createHolding(random: Random) {
  const waiting = { reorder: [] as Send[], burst: [] as Send[] };
  function release(kind: 'reorder' | 'burst'): void {
    const sends = waiting[kind].splice(0);
    if (kind === 'burst') for (const send of sends) void send();
    else void inTurn(disorder(sends, random));
  }
  return {
    add(kind: 'reorder' | 'burst', size: number, send: Send): void {
      waiting[kind].push(send);
      if (waiting[kind].length >= size) release(kind);
    },
    flush(): void {
      release('burst');
      release('reorder');
    },
  };
}

/** One first attempt after another: in parallel they could overtake each other back into order. */
async function inTurn(sends: readonly Send[]): Promise<void> {
  for (const send of sends) await send();
}
