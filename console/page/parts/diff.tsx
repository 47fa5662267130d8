import type { DiffLine } from './texts.ts';

const looks = { '+': 'added', '-': 'removed', ' ': '' } as const;

/** Lines with their signs, in a box that scrolls. */
export function Diff({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/useSemanticElements: a section would need a heading. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it. */}
      <pre role="region" tabIndex={0} aria-label={label}>
        <code>
          {lines.map(({ sign, text }, n) => (
            <span key={n} class={`diff-line ${looks[sign]}`}>
              {sign} {text}
            </span>
          ))}
        </code>
      </pre>
    </div>
  );
}
