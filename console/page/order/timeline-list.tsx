import type { OrderEvents } from '@payhooks/order-client';
import { useState } from 'preact/hooks';
import type { FeedMessage } from '../../contract.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { AttentionBadges, Pill, StatusChange } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Duration, Moment } from '../parts/values.tsx';
import { attentionWords, statusWords, wordFor } from '../parts/words.ts';
import { type Change, type TimelineEntry, timelineOf } from './timeline.ts';
import { EntryText, iconOf } from './timeline-texts.tsx';

export interface TimelineProps {
  readonly details: Pick<OrderEvents, 'events' | 'waiting' | 'acts' | 'reasons' | 'mode'>;
  readonly messages: readonly FeedMessage[];
}

const newestMax = 100;

/** Everything that happened to the order, oldest first; of a very long history the newest part at first. */
export function Timeline({ details, messages }: TimelineProps) {
  const [isWhole, setWhole] = useState(false);
  const entries = timelineOf(details, messages);
  const earlier = isWhole ? 0 : Math.max(0, entries.length - newestMax);
  return (
    <>
      {earlier > 0 && (
        <p class="timeline-earlier">
          <button type="button" class="button" onClick={() => setWhole(true)}>
            Show {counted(earlier, 'earlier entry', 'earlier entries')}
          </button>
        </p>
      )}
      <ol class="timeline">
        {entries.slice(earlier).map((entry) => (
          <Entry key={entry.key} entry={entry} mode={details.mode} />
        ))}
      </ol>
    </>
  );
}

function Entry({ entry, mode }: { readonly entry: TimelineEntry; readonly mode: OrderEvents['mode'] }) {
  const { at, recordedInMilliseconds, change, messages } = entry;
  const [icon, tone] = iconOf(entry);
  return (
    <li class={`timeline-entry ${tone}`}>
      <span class="timeline-mark">
        <Icon name={icon as IconName} size={14} />
      </span>
      <div class="timeline-time">
        <Moment at={at} precise />
        {recordedInMilliseconds !== null && (
          <span class="faint" title="From receipt to record">
            recorded in <Duration milliseconds={recordedInMilliseconds} />
          </span>
        )}
      </div>
      <div class="timeline-text">
        <EntryText entry={entry} mode={mode} />
        {messages.map((message) => (
          <Published key={message.id ?? message.at} message={message} />
        ))}
      </div>
      <div class="timeline-change">{change !== null && <StateChange change={change} />}</div>
    </li>
  );
}

function StateChange({ change }: { readonly change: Change }) {
  return (
    <>
      <StatusChange before={change.before} after={change.after} />
      {change.raised.length > 0 && <AttentionBadges attention={change.raised} />}
      {change.ended.map((name) => (
        <Pill key={name} tone="neutral" icon="check" text={`Ended: ${wordFor(attentionWords, name)}`} />
      ))}
    </>
  );
}

function Published({ message }: { readonly message: FeedMessage }) {
  const { is_published, status, previous_status, sequence, error_code, at } = message;
  const words = (name: string | null) => (name === null ? 'new' : wordFor(statusWords, name));
  return (
    <p class="timeline-message">
      <Icon name="send" size={12} />
      <span>
        {is_published ? 'Published to the order feed' : `Not published yet: ${error_code ?? 'an error'}`}
        {status !== null &&
          `: ${previous_status === status ? '' : `${words(previous_status)} → `}${words(status)}`}
        {sequence !== null && `, sequence ${sequence}`}, <Moment at={at} precise />
      </span>
    </p>
  );
}
