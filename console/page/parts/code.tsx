import { CopyButton } from './copy-button.tsx';

/** Code in a box of its own, which scrolls; one line, such as a command, wraps at its spaces. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class={text.includes('\n') ? 'code' : 'code is-line'}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would need a heading. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it. */}
      <pre role="region" tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}
