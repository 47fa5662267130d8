import type { Random } from './random.ts';

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

/** Shuffles (Fisher and Yates); two items or more never keep their order. */
function disorder<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [shuffled[last] as T, shuffled[other] as T];
    shuffled[last] = b;
    shuffled[other] = a;
  }
  const isSame = shuffled.every((item, index) => item === items[index]);
  return isSame ? [...shuffled.slice(1), ...shuffled.slice(0, 1)] : shuffled;
}
