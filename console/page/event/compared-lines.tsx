import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { counted, visibleText } from '../parts/texts.ts';
import { type ComparedLine, type Passage, passagesOf } from './body-differences.ts';

export interface ComparedLinesProps {
  readonly lines: readonly ComparedLine[];
  /** With customer data. */
  readonly isShown: boolean;
}

/** A browser lays out more of them for seconds. */
const rowsMax = 2_000;

/** Two bodies next to each other: the lines that differ, and on request all of them. */
export function ComparedLines({ lines, isShown }: ComparedLinesProps) {
  const [isWhole, setWhole] = useState(false);
  const passages = isWhole ? lines : passagesOf(lines);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would need a heading. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it. */}
      <div class="compared" role="region" tabIndex={0} aria-label="Both bodies, line by line">
        {passages.slice(0, rowsMax).map((passage, n) => (
          <PassageRow key={n} passage={passage} isShown={isShown} />
        ))}
        {passages.length > rowsMax && (
          <p class="compared-fold">{counted(passages.length - rowsMax, 'more line')} not shown</p>
        )}
      </div>
      {passages.length !== lines.length || isWhole ? (
        <button type="button" class="button small compare-whole" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show only what differs' : 'Show all lines'}
        </button>
      ) : null}
    </>
  );
}

function PassageRow({ passage, isShown }: { readonly passage: Passage; readonly isShown: boolean }) {
  if ('equal' in passage)
    return <p class="compared-fold">{counted(passage.equal, 'equal line', 'equal lines')}</p>;
  const { left, right, isDifferent } = passage;
  const textOf = (line: ComparedLine['left']): string =>
    line === undefined ? '' : visibleText(isShown ? line.text : line.masked);
  return (
    <div class={isDifferent ? 'compared-line is-different' : 'compared-line'}>
      <span class="compared-gutter">
        {isDifferent && (
          <>
            <Icon name="alert" size={12} />
            <span class="visually-hidden">differs: </span>
          </>
        )}
      </span>
      <code class="compared-left">{textOf(left)}</code>
      <code class="compared-right">{textOf(right)}</code>
    </div>
  );
}
