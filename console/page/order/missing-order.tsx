import type { Mode, OrderNotFoundProblem } from '@payhooks/order-client';
import { Missing } from '../parts/missing.tsx';
import { Section } from '../parts/page.tsx';
import { Timeline } from './timeline-list.tsx';
import { WaitingCallouts } from './waiting-callouts.tsx';

export interface MissingOrderProps {
  readonly id: string;
  readonly mode: Mode;
  readonly problem: Partial<OrderNotFoundProblem>;
  readonly detail: string;
}

/** An order without a state: nothing is known of it, or only events that wait, or were dismissed. */
export function MissingOrder({ id, mode, problem, detail }: MissingOrderProps) {
  const { waiting = [], acts = [] } = problem;
  const details = { mode, events: [], reasons: [], waiting, acts };
  return (
    <>
      <WaitingCallouts waiting={waiting} mode={mode} />
      {waiting.length === 0 && (
        <Missing kind="order" id={id} mode={mode}>
          {detail}
        </Missing>
      )}
      {waiting.length + acts.length > 0 && (
        <Section title="Timeline" note="nothing counts yet">
          <Timeline details={details} messages={[]} />
        </Section>
      )}
    </>
  );
}
