import type { Mode, ReplayResult } from '@payhooks/order-client';
import { effectOf } from '../../../cli/act-effect.ts';
import { describeReplay, type WholeReplay, wholeOf } from '../../../cli/replay/whole-replay.ts';
import { postApi } from '../data/api.ts';
import { ActDialog } from './act-dialog.tsx';
import { outcomeOf } from './act-outcome.tsx';
import { MoneyChanges } from './money-changes.tsx';
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
    `again and corrects what it reads differently. ${describeReplay(replay, 'would be replayed')}`;
  return (
    <ActDialog<WholeReplay, WholeReplay>
      title={eventId === null ? `Replay the events of ${name}?` : `Replay ${name}?`}
      parts={{
        choice: name,
        preview: () => replayAll(subject, { dry_run: true }),
        act: (_, reason) => replayAll(subject, { reason }),
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
async function replayAll(subject: ReplaySubject, fields: object): Promise<WholeReplay> {
  const named = 'eventId' in subject ? { event_id: subject.eventId } : { order_id: subject.orderId };
  const pages: ReplayResult[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const given = cursor === undefined ? {} : { cursor };
    const page: ReplayResult = await postApi('/operations/replay', {
      ...{ mode: subject.mode, ...named, ...fields, ...given },
    });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return wholeOf(pages);
}
