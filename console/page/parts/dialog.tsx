import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** A modal dialog: Escape closes it, and the focus returns to where it was, or else to the heading. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      const target = opener?.isConnected ? opener : document.querySelector('h1');
      if (target instanceof HTMLElement) target.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId} class="dialog-title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
