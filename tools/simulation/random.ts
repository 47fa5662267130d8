import { createHash } from 'node:crypto';

/** The only chance in a world: the seed decides all of it. */
export interface Random {
  /** From 0 to 1, without 1. */
  number(): number;
  /** A whole number from `min` to `max`. */
  integer(min: number, max: number): number;
  /** Whether something of this probability happens. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  shuffle<T>(items: readonly T[]): T[];
  bytes(size: number): Buffer;
  uuid(): string;
  /** Chance of its own for one part of the world, so that no other part changes it. */
  fork(name: string | number): Random;
}

export function createRandom(seed: string): Random {
  const number = createGenerator(seed);
  const integer = (min: number, max: number): number => min + Math.floor(number() * (max - min + 1));
  const bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => integer(0, 255)));
  return {
    number,
    integer,
    chance: (probability) => number() < probability,
    pick: (choices) => choices[integer(0, choices.length - 1)] ?? choices[0],
    shuffle: (items) =>
      items
        .map((item) => ({ item, at: number() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
    bytes,
    uuid() {
      const hex = bytes(16).toString('hex');
      const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
      return [...parts, hex.slice(20)].join('-');
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}

/** sfc32, a small generator of good quality whose state is four numbers of 32 bits. */
function createGenerator(seed: string): () => number {
  const digest = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return function nextNumber() {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
}
