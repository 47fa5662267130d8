/** From 0 up to and without 1. */
export type Random = () => number;

/** The generator mulberry32: one seed always gives the same numbers, which is all that is asked of it. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Fisher and Yates. Never the order as it was, unless there is no other. */
export function disorder<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [shuffled[last] as T, shuffled[other] as T];
    shuffled[last] = b;
    shuffled[other] = a;
  }
  const same = shuffled.every((item, index) => item === items[index]);
  return same ? [...shuffled.slice(1), ...shuffled.slice(0, 1)] : shuffled;
}
