import { useEffect, useRef } from 'preact/hooks';
import { Callout } from '../parts/callout.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ActMeaning } from './act-meaning.tsx';
import type { ActDialogProps, Outcome } from './act-parts.ts';
import { ActQuestion } from './act-question.tsx';
import { Sentence } from './sentence.tsx';
import { useActFlow } from './use-act-flow.ts';

/** An act on money: its dry run, what it means, the reason for it, and then what it did. */
export function ActDialog<Preview, Result>(props: ActDialogProps<Preview, Result>) {
  const { title, parts, onClose } = props;
  const { state, confirm, refresh } = useActFlow(parts);
  return (
    <Dialog title={<Sentence text={title} />} onClose={onClose}>
      <div class="act">
        {state.step !== 'done' && props.fields && (
          <fieldset class="act-choice" disabled={isSent(state.step)}>
            {props.fields}
          </fieldset>
        )}
        {/* One region from the dry run to the result, so that a screen reader reads each as it comes. */}
        <div class="act" role="status">
          {state.step === 'done' ? (
            <Callout tone="good" title={<Sentence text={props.outcome(state).sentence} />} />
          ) : (
            props.missing === undefined && <ActMeaning {...{ state, props }} retry={() => void refresh()} />
          )}
        </div>
        {state.step === 'done' ? (
          <Done outcome={props.outcome(state)} onClose={onClose} />
        ) : (
          <ActQuestion {...{ props, state, confirm }} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

/** What was requested, or may have been done, is no longer for the operator to choose. */
const isSent = (step: string): boolean => step === 'acting' || step === 'uncertain';

function Done({ outcome, onClose }: { readonly outcome: Outcome; readonly onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <>
      {outcome.details}
      <div class="dialog-actions">
        <button type="button" class="button" ref={button} onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}
