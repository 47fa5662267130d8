/** The same numbers from 0 to 1 in every run, by the constants of Numerical Recipes. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return function random() {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function shuffle<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => [random(), item] as const)
    .sort(([left], [right]) => left - right)
    .map(([, item]) => item);
}
