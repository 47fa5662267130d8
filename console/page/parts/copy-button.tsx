import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

export interface CopyButtonProps {
  readonly text: string;
  /** What a screen reader says, such as "Copy order-1001". */
  readonly label: string;
  /** Visible words; only the icon without them. */
  readonly children?: ComponentChildren;
}

const shownMilliseconds = 2_000;

/** Copies a text, and says for two seconds whether it worked. */
export function CopyButton({ text, label, children }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed' | undefined>();
  useEffect(() => {
    if (result === undefined) return;
    const timer = setTimeout(() => setResult(undefined), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = (): void => {
    Promise.resolve(navigator.clipboard?.writeText(text))
      .then(() => setResult(navigator.clipboard === undefined ? 'failed' : 'copied'))
      .catch(() => setResult('failed'));
  };
  const words = result === undefined ? label : result === 'copied' ? 'Copied' : 'The browser refused to copy';
  return (
    <button
      type="button"
      class={children === undefined ? 'icon-button copy-button' : 'button'}
      title={words}
      aria-label={children === undefined ? words : undefined}
      onClick={copy}
    >
      <Icon name={result === 'copied' ? 'check' : result === 'failed' ? 'cross' : 'copy'} size={14} />
      {children !== undefined && <span>{result === undefined ? children : words}</span>}
      <span class="visually-hidden" role="status">
        {result === undefined ? '' : words}
      </span>
    </button>
  );
}
