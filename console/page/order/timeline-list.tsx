import type { Mode, OrderEvents } from '@payhooks/order-client';
import { useState } from 'preact/hooks';
import type { FeedMessage } from '../../contract.ts';
import { CompareBodies } from '../event/compare-bodies.tsx';
import { Icon } from '../parts/icon.tsx';
import { AttentionBadges, Pill, StatusChange, WaitingBadge } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Duration, Labelled, Moment } from '../parts/values.tsx';
import { attentionWords, wordFor } from '../parts/words.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';

export interface TimelineProps {
  readonly details: Pick<OrderEvents, 'events' | 'waiting' | 'acts' | 'mode'>;
  readonly messages: readonly FeedMessage[];
}

const newestMax = 20;

/** Everything that happened to the order, oldest first; of a very long history the newest part at first. */
export function Timeline({ details, messages }: TimelineProps) {
  const [isWhole, setWhole] = useState(false);
  const entries = timelineOf(details, messages);
  const earlier = isWhole ? 0 : Math.max(0, entries.length - newestMax);
  return (
    <>
      {earlier > 0 && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show {counted(earlier, 'earlier entry', 'earlier entries')}
        </button>
      )}
      <ol class="timeline">
        {entries.slice(earlier).map((entry) => (
          <Entry key={entry.key} entry={entry} mode={details.mode} />
        ))}
      </ol>
    </>
  );
}

function Entry({ entry, mode }: { readonly entry: TimelineEntry; readonly mode: Mode }) {
  const { at, recordedAt, icon, tone, title, aside, note, change, otherSha256 } = entry;
  const { eventId = null, transactionId = null, waits = null } = entry;
  return (
    <li class="timeline-entry">
      <span class={`timeline-mark pill ${tone}`}>
        <Icon name={icon} size={14} />
      </span>
      <div class="timeline-time small">
        <Moment at={at} precise />
        {recordedAt && at !== null && (
          <span class="faint" title="From receipt to record">
            {' '}
            recorded in <Duration milliseconds={Date.parse(recordedAt) - Date.parse(at)} />
          </span>
        )}
      </div>
      <div class="stack tight">
        <p class="row clip">
          <span class={icon === 'send' ? 'clip small muted' : 'clip strong'}>{title}</span>
          {aside !== undefined && <span class="faint clip">{aside}</span>}
          {waits !== null && <WaitingBadge kind={waits} />}
        </p>
        {(eventId ?? transactionId) !== null && (
          <p class="row small">
            <Labelled kind="event" id={eventId} mode={mode} copy />
            <Labelled kind="transaction" id={transactionId} mode={mode} />
          </p>
        )}
        {note !== undefined && <p class="muted clip">{note}</p>}
        {otherSha256 !== undefined && eventId !== null && (
          <CompareBodies eventId={eventId} mode={mode} bodySha256={otherSha256} />
        )}
      </div>
      {change !== null && (
        <div class="timeline-change row end">
          <StatusChange before={change.before} after={change.after} />
          <AttentionBadges attention={change.raised} />
          {change.ended.map((name) => (
            <Pill key={name} tone="neutral" icon="check" text={`Ended: ${wordFor(attentionWords, name)}`} />
          ))}
        </div>
      )}
    </li>
  );
}
