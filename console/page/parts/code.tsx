import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';

export interface CodeProps {
  /** What is shown, and copied unless `copy` is given. */
  readonly text: string;
  /** What the button copies; `false` for no button. */
  readonly copy?: string | false;
  readonly label: string;
  /** The text with marks, such as differences. */
  readonly children?: ComponentChildren;
}

/** Code in a box of its own, which scrolls; one line, such as a command, wraps at its spaces. */
export function Code({ text, copy = text, label, children }: CodeProps) {
  return (
    <div class={text.includes('\n') ? 'code' : 'code is-line'}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would need a heading. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it. */}
      <pre role="region" tabIndex={0} aria-label={label}>
        <code>{children ?? text}</code>
      </pre>
      {copy !== false && <CopyButton text={copy} label={`Copy ${label}`} />}
    </div>
  );
}
