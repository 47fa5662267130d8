import { useId, useState } from 'preact/hooks';
import type { ActState } from './act-flow.ts';
import type { ActDialogProps } from './act-parts.ts';
import { problemOfReason } from './reason.ts';

interface ActQuestionProps<Preview, Result> {
  readonly props: ActDialogProps<Preview, Result>;
  readonly state: ActState<Preview, Result>;
  readonly confirm: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}

/** What the act would change, the reason for it, and the button that names it. */
export function ActQuestion<Preview, Result>(given: ActQuestionProps<Preview, Result>) {
  const { props, state, confirm, onClose } = given;
  const { missing, confirmLabel, hasReason = true } = props;
  const preview = missing === undefined && 'preview' in state ? state.preview : undefined;
  const [reason, setReason] = useState('');
  const isActing = state.step === 'acting';
  const problem = hasReason ? problemOfReason(reason) : undefined;
  const obstacle = missing ?? obstacleIn(state, props.unneeded) ?? problem;
  const label = state.step === 'uncertain' ? `Repeat: ${confirmLabel}` : confirmLabel;
  return (
    <>
      {preview !== undefined && (
        <>
          {props.context?.(preview)}
          <h3 class="act-heading">What it changes</h3>
          {props.changes(preview)}
        </>
      )}
      {hasReason && <ReasonField value={reason} onChange={setReason} isDisabled={isActing} />}
      {obstacle !== undefined && !isActing && <p class="act-obstacle">{obstacle}</p>}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="button primary"
          disabled={isActing || obstacle !== undefined}
          onClick={() => void confirm(reason)}
        >
          <bdi>{isActing ? 'Working…' : label}</bdi>
        </button>
      </div>
    </>
  );
}

/** Why the button is disabled, apart from what the operator still has to enter. */
function obstacleIn<Preview, Result>(
  state: ActState<Preview, Result>,
  unneeded: (preview: Preview) => string | undefined,
): string | undefined {
  if (state.step === 'previewing') return 'What it would change is being read.';
  if (state.step === 'blocked') return 'The act is not possible now, for the reason above.';
  return state.step === 'ready' && unneeded(state.preview) !== undefined
    ? 'There is nothing to do.'
    : undefined;
}

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isDisabled: boolean;
}

function ReasonField({ value, onChange, isDisabled }: ReasonFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Reason</label>
      <input
        id={id}
        class="input"
        type="text"
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        value={value}
        disabled={isDisabled}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="field-hint" id={`${id}-hint`}>
        Such as “confirmed by the payment service, case 17”. It is stored with your identity and the time.
      </p>
    </div>
  );
}
