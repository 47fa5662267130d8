import { diffArrays } from 'diff';
import type { JsonLine } from './pretty-json.ts';

/** Two bodies next to each other: a line of each, or of one of them. */
export interface ComparedLine {
  readonly left: JsonLine | undefined;
  readonly right: JsonLine | undefined;
  readonly isDifferent: boolean;
}

/** The search for what moved takes time by the square of the differences: with these, half a second. */
const editsMax = 1_000;

/** Compares the unmasked lines, so that a difference shows where both sides are masked, too. */
export function compareLines(left: readonly JsonLine[], right: readonly JsonLine[]): readonly ComparedLine[] {
  const texts = (lines: readonly JsonLine[]): string[] => lines.map(({ text }) => text);
  const compared: ComparedLine[] = [];
  let [l, r] = [0, 0];
  let removed = 0;
  /** Lines that only the left has, in front of what comes next. */
  const flush = (added: number): void => {
    for (let n = 0; n < Math.max(removed, added); n += 1) {
      const [onLeft, onRight] = [n < removed ? left[l + n] : undefined, n < added ? right[r + n] : undefined];
      compared.push({ left: onLeft, right: onRight, isDifferent: true });
    }
    l += removed;
    r += added;
    removed = 0;
  };
  const parts = diffArrays(texts(left), texts(right), { maxEditLength: editsMax });
  if (parts === undefined) return comparePlaces(left, right);
  for (const part of parts) {
    if (part.removed) removed += part.count;
    else if (part.added) flush(part.count);
    else {
      flush(0);
      for (let n = 0; n < part.count; n += 1)
        compared.push({ left: left[l + n], right: right[r + n], isDifferent: false });
      l += part.count;
      r += part.count;
    }
  }
  flush(0);
  return compared;
}

/** Line by line, without a search for lines that moved. */
const comparePlaces = (left: readonly JsonLine[], right: readonly JsonLine[]): readonly ComparedLine[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, n) => ({
    left: left[n],
    right: right[n],
    isDifferent: left[n]?.text !== right[n]?.text,
  }));

/** Lines that are equal and far from every difference, as their number. */
export type Passage = ComparedLine | { readonly equal: number };

const contextLines = 2;

/** Leaves out what is equal, except for some lines around each difference. */
export function passagesOf(lines: readonly ComparedLine[]): readonly Passage[] {
  const isNear = lines.map((_, n) =>
    lines.slice(Math.max(0, n - contextLines), n + contextLines + 1).some(({ isDifferent }) => isDifferent),
  );
  const passages: Passage[] = [];
  let equal = 0;
  for (const [n, line] of lines.entries()) {
    if (!isNear[n]) {
      equal += 1;
      continue;
    }
    if (equal > 0) passages.push({ equal });
    equal = 0;
    passages.push(line);
  }
  return equal > 0 ? [...passages, { equal }] : passages;
}
