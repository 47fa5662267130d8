import type { ActResult } from '@payhooks/order-client';
import { href } from '../data/href.ts';
import { Id, Moment } from '../parts/values.tsx';
import type { Outcome } from './act-parts.ts';
import { MoneyChanges } from './money-changes.tsx';
import { doneSentence } from './sentences.ts';

interface Done {
  readonly preview: ActResult;
  readonly result: ActResult;
  readonly isRepetition: boolean;
  /** Such as "Admitted evt-1." */
  readonly done: string;
  /** Whose history shows the act. */
  readonly eventId?: string | null;
  readonly orderId?: string | null;
}

/** What an act did, and where it is recorded. */
export function outcomeOf(done: Done): Outcome {
  const { preview, result } = done;
  const orders = result.changed ? result.orders : preview.orders;
  const isDone = result.changed || done.isRepetition;
  return {
    sentence: doneSentence(done.done, done),
    details: (
      <>
        {isDone && orders.length > 0 && <MoneyChanges orders={orders} mode={result.mode} />}
        {(isDone || result.act !== 'replay') && <AuditRow {...done} />}
      </>
    ),
  };
}

function AuditRow({ result, eventId = null, orderId = null }: Done) {
  const { mode, by, at, reason } = result;
  return (
    <dl class="act-audit">
      <dt>Recorded</dt>
      <dd>
        <bdi title={by}>{by.split('/').at(-1)}</bdi>, <Moment at={at} precise />: <bdi>“{reason}”</bdi>
      </dd>
      {eventId !== null && (
        <>
          <dt>In the history of the event</dt>
          <dd>
            <Id value={eventId} href={href.event(eventId, mode)} />
          </dd>
        </>
      )}
      {orderId !== null && (
        <>
          <dt>In the history of the order</dt>
          <dd>
            <Id value={orderId} href={href.order(orderId, mode)} />
          </dd>
        </>
      )}
    </dl>
  );
}
