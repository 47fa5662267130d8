import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';
import type { DiffLine } from './texts.ts';

interface CodeProps {
  readonly text: string;
  readonly label: string;
}

/** Code in a box of its own, which scrolls; one line, such as a command, wraps at its spaces. */
export const Code = ({ text, label }: CodeProps) => (
  <div class={text.includes('\n') ? 'code' : 'code is-line'}>
    <Region label={label}>{text}</Region>
    <CopyButton text={text} label={`Copy ${label}`} />
  </div>
);

const looks = { '+': 'added', '-': 'removed', ' ': '' } as const;

/** Lines with their signs, in a box that scrolls. */
export const Diff = ({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }) => (
  <div class="code">
    <Region label={label}>
      {lines.map(({ sign, text }, n) => (
        <span key={n} class={`diff-line ${looks[sign]}`}>
          {sign} {text}
        </span>
      ))}
    </Region>
  </div>
);

function Region(props: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would need a heading.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
    <pre role="region" tabIndex={0} aria-label={props.label}>
      <code>{props.children}</code>
    </pre>
  );
}
