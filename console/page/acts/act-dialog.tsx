import { useEffect, useRef } from 'preact/hooks';
import { Callout } from '../parts/callout.tsx';
import { Dialog } from '../parts/confirm-dialog.tsx';
import type { ActState } from './act-flow.ts';
import type { ActDialogProps, Outcome } from './act-parts.ts';
import { ActQuestion } from './act-question.tsx';
import { Sentence } from './sentence.tsx';
import { useActFlow } from './use-act-flow.ts';

/** An act on money: its dry run, what it means, the reason for it, and then what it did. */
export function ActDialog<Preview, Result>(props: ActDialogProps<Preview, Result>) {
  const { title, parts, onClose } = props;
  const { state, confirm, refresh } = useActFlow(parts);
  const close = (): void => {
    onClose();
    setTimeout(focusPage);
  };
  return (
    <Dialog title={<Sentence text={title} />} onClose={close}>
      <div class="act">
        <p class="visually-hidden" role="status">
          {announcementOf(state, props)}
        </p>
        {state.step === 'done' ? (
          <Done outcome={props.outcome(state)} onClose={close} />
        ) : (
          <ActQuestion {...{ props, state, confirm, refresh }} onClose={close} />
        )}
      </div>
    </Dialog>
  );
}

/** For screen readers: what has changed in the dialog. */
function announcementOf<Preview, Result>(
  state: ActState<Preview, Result>,
  { unneeded, consequence, outcome }: ActDialogProps<Preview, Result>,
): string {
  if (state.step === 'acting') return 'The act is being sent.';
  if (state.step === 'done') return outcome(state).sentence;
  if (state.step !== 'ready') return '';
  const meaning = unneeded(state.preview) ?? consequence(state.preview);
  return state.isNew ? `Something else changed meanwhile, and nothing was done yet. ${meaning}` : meaning;
}

function Done({ outcome, onClose }: { readonly outcome: Outcome; readonly onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <>
      <Callout tone="good" title={<Sentence text={outcome.sentence} />} />
      {outcome.details}
      <div class="dialog-actions">
        <button type="button" class="button" ref={button} onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}

/** What opened the dialog may be gone, because what waited no longer does. */
function focusPage(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('h1')?.focus();
}
