import type { ComponentChildren } from 'preact';
import type { ConsoleStatus } from '../../contract.ts';
import { durationText } from '../parts/texts.ts';
import { Moment } from '../parts/values.tsx';

/** Depths of the queues and the signs of life. */
export function SignsOfLife({ status }: { readonly status: ConsoleStatus }) {
  const { queues, unknown } = status;
  const oldest = queues?.oldest_event_seconds;
  const isUnknown = (part: string): boolean => unknown.some((one) => one.part === part);
  const depth = (value: number | undefined): string =>
    value === undefined ? 'not known' : value.toLocaleString('en');
  return (
    <dl class="life-signs">
      <Sign name="Events not recorded yet" title="Messages in the queue, those in progress included">
        {depth(queues?.events)}
        {typeof oldest === 'number' && (
          <span class="life-sign-more">oldest {durationText(oldest * 1_000)}</span>
        )}
      </Sign>
      <Sign name="Dead letters" title="Events that could not be recorded">
        {depth(queues?.dead_letters)}
      </Sign>
      <Sign name="Changes not published" title="Changes of orders that the feed gave up">
        {depth(queues?.feed_failures)}
      </Sign>
      <Sign name="Last live event" title="To within minutes">
        {isUnknown('events') ? (
          'not known'
        ) : status.last_event_at === null ? (
          'none so far'
        ) : (
          <Moment at={status.last_event_at} />
        )}
      </Sign>
      <Sign
        name="Last heartbeat returned"
        title="An event that the stack sends to itself, through the whole chain"
      >
        {isUnknown('heartbeat') ? (
          'not known'
        ) : status.last_heartbeat_at === null ? (
          'none for hours'
        ) : (
          <Moment at={status.last_heartbeat_at} />
        )}
      </Sign>
    </dl>
  );
}

function Sign(props: {
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="life-sign" title={props.title}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
