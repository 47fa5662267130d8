import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../data/api.ts';
import { Failure } from './loaded.tsx';

export interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** A modal dialog: Escape closes it and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
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

export interface ConfirmDialogProps {
  readonly title: string;
  /** What will be different afterwards, in a sentence. */
  readonly consequence: ComponentChildren;
  readonly confirmLabel: string;
  /** The dialog closes when it resolves, and shows its error when it rejects. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Something is still missing, such as a reason. */
  readonly disabled?: boolean;
  /** The act takes something away. */
  readonly danger?: boolean;
  readonly children?: ComponentChildren;
}

/** Asks before an act; rendered while it is open. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, consequence, confirmLabel, onConfirm, onClose, disabled = false, danger = false } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | undefined>();
  const confirm = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (cause) {
      setError(asApiError(cause));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="dialog-form" onSubmit={confirm}>
        <p class="dialog-consequence">{consequence}</p>
        {props.children}
        {error !== undefined && <Failure error={error} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={danger ? 'button danger' : 'button primary'}
            disabled={disabled || isBusy}
          >
            {isBusy ? 'Working…' : confirmLabel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
