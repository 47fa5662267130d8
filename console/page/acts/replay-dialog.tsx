import type { Mode, ReplayResult } from '@payhooks/order-client';
import { effectOf } from '../../../cli/act-effect.ts';
import { describeReplay, type WholeReplay, wholeOf } from '../../../cli/replay/whole-replay.ts';
import { ActDialog } from './act-dialog.tsx';
import type { Wait } from './act-flow.ts';
import { outcomeOf } from './act-outcome.tsx';
import { MoneyChanges } from './money-changes.tsx';
import { postAct } from './post-act.ts';
import { printableId } from './printable-id.ts';

export type ReplaySubject =
  | { readonly mode: Mode; readonly eventId: string }
  | { readonly mode: Mode; readonly orderId: string };

interface ReplayDialogProps {
  readonly subject: ReplaySubject;
  readonly onClose: () => void;
}

/** Has the stored bodies of an event, or of all events of an order, read again. */
export function ReplayDialog({ subject, onClose }: ReplayDialogProps) {
  const [eventId, orderId] = 'eventId' in subject ? [subject.eventId, null] : [null, subject.orderId];
  const name = printableId(eventId ?? orderId ?? '');
  const meaning = (replay: WholeReplay): string =>
    `If you replay ${name}, the deployed version reads its stored ${eventId === null ? 'events' : 'body'} ` +
    `again, and every order gets what it says now. ${describeReplay(replay, 'would be replayed')}`;
  return (
    <ActDialog<WholeReplay, WholeReplay>
      title={eventId === null ? `Replay the events of ${name}?` : `Replay ${name}?`}
      parts={{
        choice: name,
        preview: (wait) => replayAll(subject, { dry_run: true }, wait),
        act: (_, reason, wait) => replayAll(subject, { reason }, wait),
        effectOf,
      }}
      consequence={meaning}
      changes={({ orders, mode }) => <MoneyChanges orders={orders} mode={mode} />}
      unneeded={(preview) =>
        preview.changed
          ? undefined
          : `${describeReplay(preview, 'would be replayed')} Everything is up to date.`
      }
      confirmLabel={eventId === null ? `Replay the events of ${name}` : `Replay ${name}`}
      permission="execute-api:Invoke on POST /operations/replay"
      outcome={(done) =>
        outcomeOf({ ...done, done: describeReplay(done.result, 'replayed'), eventId, orderId })
      }
      onClose={onClose}
    />
  );
}

/** An order has its events in several pages. */
async function replayAll(subject: ReplaySubject, fields: object, wait: Wait): Promise<WholeReplay> {
  const [named, id] =
    'eventId' in subject
      ? [{ event_id: subject.eventId }, subject.eventId]
      : [{ order_id: subject.orderId }, subject.orderId];
  const name = printableId(id);
  const pages: ReplayResult[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const given = cursor === undefined ? {} : { cursor };
    const body = { mode: subject.mode, ...named, ...fields, ...given };
    const page = await postAct<ReplayResult>({ path: '/operations/replay', body, subject: name, wait });
    pages.push(page);
    cursor = page.next_cursor;
    if (cursor !== null && page.retry_after_seconds !== null) await wait(page.retry_after_seconds, name);
  }
  return wholeOf(pages);
}
