import type { ActResult } from '@payhooks/order-client';
import { useId, useState } from 'preact/hooks';
import { effectOf } from '../../../cli/act-effect.ts';
import { ActDialog } from './act-dialog.tsx';
import type { Wait } from './act-flow.ts';
import { outcomeOf } from './act-outcome.tsx';
import { admitChoice, type Subject, subjectFields } from './choices.ts';
import { MoneyChanges } from './money-changes.tsx';
import { postAct } from './post-act.ts';
import { judgementLabel, judgementSentence, nameOf } from './sentences.ts';

interface JudgeDialogProps {
  readonly act: 'admit' | 'dismiss';
  readonly subject: Subject;
  readonly onClose: () => void;
}

const words = {
  admit: { verb: 'Admit', done: 'Admitted' },
  dismiss: { verb: 'Dismiss', done: 'Dismissed' },
} as const;

/** Admits or dismisses what waits. */
export function JudgeDialog({ act, subject, onClose }: JudgeDialogProps) {
  const choice = admitChoice(subject);
  const field = act === 'admit' && choice.isOffered ? choice.order : 'none';
  const [order, setOrder] = useState(subject.judged?.order_id ?? '');
  const given = field === 'none' || order === '' ? undefined : order;
  const isMissing = field === 'required' && given === undefined;
  const name = nameOf(subject);
  const request = (fields: object, wait: Wait): Promise<ActResult> => {
    const order_id = given === undefined ? {} : { order_id: given };
    const body = { ...subjectFields(subject), ...order_id, ...fields };
    return postAct({ path: `/operations/${act}`, body, subject: name, wait });
  };
  return (
    <ActDialog<ActResult, ActResult>
      title={`${words[act].verb} ${name}?`}
      parts={{
        choice: isMissing ? undefined : `${given}`,
        preview: (wait) => request({ dry_run: true }, wait),
        act: (_, reason, wait) => request({ reason }, wait),
        effectOf,
      }}
      fields={
        field !== 'none' && <OrderField value={order} onChange={setOrder} isRequired={field === 'required'} />
      }
      {...(isMissing && { missing: 'Enter the order first.' })}
      consequence={(preview) => judgementSentence(act, subject, preview)}
      changes={({ orders, mode }) => <MoneyChanges orders={orders} mode={mode} />}
      unneeded={({ changed }) => (changed ? undefined : `${name} does not wait any more.`)}
      confirmLabel={judgementLabel(act, subject, given ?? subject.orderId)}
      permission={`execute-api:Invoke on POST /operations/${act}`}
      outcome={(done) =>
        outcomeOf({
          ...done,
          done: `${words[act].done} ${name}.`,
          eventId: subject.eventId,
          orderId: given ?? subject.orderId,
        })
      }
      onClose={onClose}
    />
  );
}

interface OrderFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired: boolean;
}

function OrderField({ value, onChange, isRequired }: OrderFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{isRequired ? 'Order' : 'Order, if the event names none'}</label>
      <input
        id={id}
        class="input mono"
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="field-hint" id={`${id}-hint`}>
        The id of the order exactly as your order system knows it. A mistyped id would be a new order.
      </p>
    </div>
  );
}
