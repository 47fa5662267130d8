export type Random = () => number;

/** The generator mulberry32: the same seed always gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return function random() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Shuffles (Fisher and Yates); two items or more never keep their order. */
export function disorder<T>(items: readonly T[], random: Random): T[] {
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
