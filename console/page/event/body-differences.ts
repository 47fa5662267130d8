import { diffArrays } from 'diff';
import { counted, type DiffLine, visibleText } from '../parts/texts.ts';
import { type JsonLine, prettyLines } from './pretty-json.ts';

/** The search for what moved takes time by the square of the differences: with these, half a second. */
const editsMax = 1_000;
/** A browser lays out more of them for seconds. */
const linesMax = 2_000;
/** Equal lines that are shown around each difference. */
const contextLines = 2;

interface Shown {
  /** With customer data. */
  readonly isShown: boolean;
  /** With all equal lines. */
  readonly isWhole: boolean;
}

/** Compares the unmasked lines of two JSON values, so that a difference shows where both are masked, too. */
export function diffOfBodies(
  left: unknown,
  right: unknown,
  { isShown, isWhole }: Shown,
): readonly DiffLine[] {
  const [olds, news] = [prettyLines(left), prettyLines(right)];
  const texts = (lines: readonly JsonLine[]): string[] => lines.map(({ text }) => text);
  const parts = diffArrays(texts(olds), texts(news), { maxEditLength: editsMax }) ?? [
    { removed: true, added: false, count: olds.length },
    { removed: false, added: true, count: news.length },
  ];
  const lines: DiffLine[] = [];
  let [l, r] = [0, 0];
  for (const { removed, added, count } of parts) {
    const sign = removed ? '-' : added ? '+' : ' ';
    const part = (added ? news.slice(r, r + count) : olds.slice(l, l + count)).map(
      (line): DiffLine => ({ sign, text: visibleText(isShown ? line.text : line.masked) }),
    );
    lines.push(...(sign === ' ' && !isWhole ? folded(part) : part));
    if (!added) l += count;
    if (!removed) r += count;
  }
  const rest = lines.length - linesMax;
  return rest <= 0 ? lines : [...lines.slice(0, linesMax), note(`… ${counted(rest, 'more line')} not shown`)];
}

/** Equal lines that are far from every difference, as their number. */
function folded(lines: readonly DiffLine[]): readonly DiffLine[] {
  const { length } = lines;
  if (length <= 2 * contextLines + 1) return lines;
  const equal = note(`… ${length - 2 * contextLines} equal lines`);
  return [...lines.slice(0, contextLines), equal, ...lines.slice(-contextLines)];
}

const note = (text: string): DiffLine => ({ sign: ' ', text });
