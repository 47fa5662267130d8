import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { reasonBytesMax } from '../../contract/texts.ts';
import { href } from '../data/href.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Labelled, Moment, Sentence } from '../parts/values.tsx';
import type { Act, Outcome } from './act.ts';
import { ActMeaning } from './act-meaning.tsx';
import { Changes } from './changes.tsx';
import { type ActState, useAct } from './use-act.ts';

const orderHint =
  'The id of the order exactly as your order system knows it. A mistyped id would be a new order.';
const reasonHint =
  'Such as “confirmed by the payment service, case 17”. It is stored with your identity and the time.';

/** The dialog of every act: its dry run, what it means, the reason for it, and then what it did. */
export function ActDialog({ act, onClose }: { readonly act: Act; readonly onClose: () => void }) {
  const { orderField } = act;
  const [order, setOrder] = useState(act.order ?? '');
  const [reason, setReason] = useState('');
  const isMissing = orderField === 'required' && order === '';
  const { state, confirm, refresh } = useAct(act, isMissing ? undefined : order);
  const isActing = state.step === 'acting';
  const plan = !isMissing && 'plan' in state ? state.plan : undefined;
  const obstacle = isMissing ? 'Enter the order first.' : (obstacleIn(state) ?? problemOf(reason));
  const title = act.titleOf(order === '' ? undefined : order);
  return (
    <Dialog title={<Sentence text={title} />} onClose={onClose}>
      <div class="stack wide act">
        {orderField !== undefined && state.step !== 'done' && (
          <Field
            label={orderField === 'required' ? 'Order' : 'Order, if the event names none'}
            hint={orderHint}
            value={order}
            onChange={setOrder}
            // What was requested, or may have been done, is no longer for the operator to choose.
            isDisabled={isActing || state.step === 'uncertain'}
          />
        )}
        {/* One region from the dry run to the outcome, so that a screen reader reads each as it comes. */}
        <div class="stack wide" role="status">
          {!isMissing && <ActMeaning state={state} retry={() => void refresh()} />}
        </div>
        {plan?.context.map((text) => (
          <p key={text} class="clip">
            {text}
          </p>
        ))}
        {plan !== undefined && (
          <>
            <h3 class="small faint">What it changes</h3>
            <Changes orders={plan.orders} mode={plan.mode} />
          </>
        )}
        {state.step === 'done' ? (
          <Done outcome={state.outcome} onClose={onClose} />
        ) : (
          <>
            <Field
              label="Reason"
              hint={reasonHint}
              value={reason}
              onChange={setReason}
              isDisabled={isActing}
            />
            {obstacle !== undefined && !isActing && <p class="row end small muted">{obstacle}</p>}
            <div class="row end">
              <button type="button" class="button" onClick={onClose}>
                {isActing || state.step === 'uncertain' ? 'Leave' : 'Cancel'}
              </button>
              <button
                type="button"
                class="button primary"
                disabled={isActing || obstacle !== undefined}
                onClick={() => void confirm(reason)}
              >
                <bdi>{isActing ? 'Working…' : state.step === 'uncertain' ? `Repeat: ${title}` : title}</bdi>
              </button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Why the button is disabled, apart from what the operator still has to enter. */
function obstacleIn(state: ActState): string | undefined {
  if (state.step === 'planning') return 'What it would change is being read.';
  if (state.step === 'blocked') return 'The act is not possible now, for the reason above.';
  if (state.step !== 'ready') return undefined;
  if (!state.plan.is_needed) return 'There is nothing to do.';
  return state.plan.is_possible === false ? 'It cannot be done now, for the reason above.' : undefined;
}

/** Why a reason cannot be sent; `undefined` for one that the API takes. */
function problemOf(reason: string): string | undefined {
  if (reason.trim() === '') return 'Enter a reason to continue.';
  if (!reason.isWellFormed()) return 'The reason is not valid Unicode.';
  const bytes = new TextEncoder().encode(JSON.stringify(reason)).length - 2;
  if (bytes <= reasonBytesMax) return undefined;
  return `The reason has ${bytes} bytes; at most ${reasonBytesMax} are stored. Shorten it.`;
}

interface FieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isDisabled: boolean;
}

function Field({ label, hint, value, onChange, isDisabled }: FieldProps) {
  const id = useId();
  return (
    <div class="stack">
      <label for={id} class="small strong">
        {label}
      </label>
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
      <p class="small faint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

/** Where the act is recorded, and what it changed. */
function Done({ outcome, onClose }: { readonly outcome: Outcome; readonly onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const { orders, record, proposal } = outcome;
  return (
    <>
      {record !== null && proposal != null && (
        <p>
          Another person approves it: <a href={href.approvals(record.mode)}>Approvals</a>
        </p>
      )}
      {record !== null && <Changes orders={orders} mode={record.mode} />}
      {record !== null && (
        <p class="clip">
          Recorded: <bdi title={record.by}>{record.by.split('/').at(-1)}</bdi>,{' '}
          <Moment at={record.at} precise />: <bdi>“{record.reason}”</bdi>
          {/* A body that is no event has no page. */}
          {(record.event_id ?? record.order_id) !== null && ', in the history of '}
          <Labelled kind="event" id={record.event_id} mode={record.mode} />{' '}
          <Labelled kind="order" id={record.order_id} mode={record.mode} />
        </p>
      )}
      <div class="row end">
        <button type="button" class="button" ref={button} onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}
