import type { Mode, Order } from '@payhooks/order-client';
import { useStack } from '../data/use-api.ts';
import { Code } from '../parts/code.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { attentionWords, wordFor } from '../parts/words.ts';
import { ActButton } from './acts.tsx';
import type { Subject } from './choices.ts';
import { eraseCommand, judge, resolve, unresolvable } from './operations.ts';

/** Completes a command with the option that names the stack of this console. */
export function useCommand(): (command: string) => string {
  const { data } = useStack();
  return (command) => `npx ${command} ${data?.stack_option ?? ''}`.trimEnd();
}

interface EventButtonsProps {
  readonly subject: Subject;
}

/** The judgements that are possible on what waits, the same on every page. */
export function EventButtons({ subject }: EventButtonsProps) {
  const command = useCommand();
  // An order is resolved, in its own row.
  if (subject.kind === 'attention') return null;
  const sandbox = subject.mode === 'sandbox' ? ' --sandbox' : '';
  return (
    <div class="row">
      {!subject.isSettled && subject.kind !== 'event_name' && (
        <ActButton act={judge('admit', subject)}>Apply</ActButton>
      )}
      {subject.kind === 'event_name' && (
        <CopyButton
          text={command(`payhooks replay --since ${subject.recordedAt} --publish${sandbox}`)}
          label="Copy the command that replays its events"
        >
          Copy replay command
        </CopyButton>
      )}
      {subject.waits && <ActButton act={judge('dismiss', subject)}>Dismiss</ActButton>}
    </div>
  );
}

/** One button for each attention that an operator can resolve. */
export function OrderButtons({ order }: { readonly order: Pick<Order, 'order_id' | 'mode' | 'attention'> }) {
  const { order_id: orderId, mode, attention } = order;
  return (
    <div class="row">
      {attention.map((name) => {
        const words = wordFor(attentionWords, name);
        const obstacle = unresolvable(name);
        if (obstacle !== undefined) {
          return (
            <p key={name} class="small muted">
              {obstacle}
            </p>
          );
        }
        return (
          <ActButton key={name} act={resolve(orderId, mode, name)}>
            {attention.length === 1 ? 'Resolve' : `Resolve ${words}`}
          </ActButton>
        );
      })}
    </div>
  );
}

interface EraseCommandProps {
  readonly name: 'event' | 'order';
  readonly id: string;
  readonly mode: Mode;
}

/** Bodies are erased by the command alone, because nothing brings them back. */
export function EraseCommand({ name, id, mode }: EraseCommandProps) {
  const command = useCommand();
  return (
    <details class="stack">
      <summary>Erase the customer data</summary>
      <p>
        This command removes the stored bodies for good, after a confirmation. The facts stay, so that no
        order changes; what waits for a person is judged first.
      </p>
      <Code text={command(eraseCommand(name, id, mode))} label="the command that erases the bodies" />
    </details>
  );
}
