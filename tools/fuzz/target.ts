/** A part of payhooks that reads bytes which anyone may send, or an operator may mistype. */
export interface Target {
  readonly name: string;
  /** Reads the input, and resolves with one of `outcomes`. Throws when what payhooks did with it is wrong. */
  run(input: Uint8Array): Promise<string>;
  /** Every outcome, with the inputs that have it. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** The first inputs. */
  readonly seeds: readonly string[];
  /** What mutations insert, in addition to the naughty strings. */
  readonly words: readonly string[];
}
