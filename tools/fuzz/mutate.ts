/** A number from 0 to 1. */
export type Random = () => number;

/** The same numbers in every run of a seed: Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  return function random() {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What no mutation makes larger. It is more than any caller may send. */
const inputBytesMax = 300 * 1024;
/** A JSON string, number or word, in a text that may be broken elsewhere. */
const jsonValue = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|\{\}|\[\]/g;

interface Material {
  readonly random: Random;
  readonly words: readonly string[];
  /** Inputs to take a part of. */
  readonly others: readonly Uint8Array[];
}

type Mutation = (input: Buffer, material: Material) => Buffer;

const below = (random: Random, end: number): number => Math.floor(random() * end);
const pick = <T>(random: Random, list: readonly T[]): T | undefined => list[below(random, list.length)];

/** From one place up to another, both in the input; mostly a few bytes. */
function rangeIn(input: Buffer, random: Random): readonly [from: number, to: number] {
  const from = below(random, input.length + 1);
  const length = random() < 0.8 ? below(random, 8) : below(random, input.length + 1);
  return [from, Math.min(input.length, from + length)];
}

function replaceRange(input: Buffer, [from, to]: readonly [number, number], by: Uint8Array): Buffer {
  return Buffer.concat([input.subarray(0, from), by, input.subarray(to)]);
}

const mutations: readonly Mutation[] = [
  function flipBit(input, { random }) {
    const copy = Buffer.from(input);
    const at = below(random, copy.length);
    copy.writeUInt8((copy[at] ?? 0) ^ (1 << below(random, 8)), at);
    return copy;
  },
  function removeRange(input, { random }) {
    return replaceRange(input, rangeIn(input, random), Buffer.of());
  },
  function insertByte(input, { random }) {
    const at = below(random, input.length + 1);
    return replaceRange(input, [at, at], Buffer.of(below(random, 256)));
  },
  function insertWord(input, { random, words }) {
    const at = below(random, input.length + 1);
    return replaceRange(input, [at, at], Buffer.from(pick(random, words) ?? ''));
  },
  function replaceByWord(input, { random, words }) {
    return replaceRange(input, rangeIn(input, random), Buffer.from(pick(random, words) ?? ''));
  },
  function repeatRange(input, { random }) {
    const [from, to] = rangeIn(input, random);
    const part = input.subarray(from, to);
    const times = random() < 0.99 ? 1 + below(random, 4) : below(random, 20_000);
    const fitting = Math.min(times, Math.floor(inputBytesMax / (part.length + 1)));
    return replaceRange(input, [from, from], Buffer.concat(Array(fitting).fill(part)));
  },
  function takePartOfAnother(input, { random, others }) {
    const other = Buffer.from(pick(random, others) ?? []);
    return replaceRange(input, rangeIn(input, random), other.subarray(...rangeIn(other, random)));
  },
  function replaceJsonValue(input, { random, words }) {
    const values = [...input.toString('latin1').matchAll(jsonValue)];
    const value = pick(random, values);
    if (value === undefined) return input;
    const word = pick(random, words) ?? '';
    const json = random() < 0.7 ? JSON.stringify(word) : word;
    return replaceRange(input, [value.index, value.index + value[0].length], Buffer.from(json));
  },
];

/** An input with one to four changes. */
export function mutate(input: Uint8Array, material: Material): Buffer {
  let mutated = Buffer.from(input);
  for (let left = 1 + below(material.random, 4); left > 0; left -= 1) {
    const mutation = pick(material.random, mutations);
    if (mutation !== undefined && mutated.length > 0) mutated = Buffer.from(mutation(mutated, material));
  }
  return mutated.subarray(0, inputBytesMax);
}
