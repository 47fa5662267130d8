import { useEffect, useState } from 'preact/hooks';
import type { DeadLetterGroup, DeadLetters } from '../../contract.ts';
import { useCommand } from '../acts/buttons.tsx';
import { type ApiError, asApiError, getApi } from '../data/api.ts';
import { Code } from '../parts/code.tsx';
import { Failure, Skeleton } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Labelled, Moment } from '../parts/values.tsx';
import { Item } from './items.tsx';

/** Events that were acknowledged and could not be recorded, by their error. */
export function DeadLettersSection({ count }: { readonly count: number }) {
  const { letters, error } = useDeadLetters(count);
  const command = useCommand();
  return (
    <Section
      title={`Could not be recorded (${count})`}
      note="Acknowledged events in the dead-letter queue, of both modes."
    >
      <p>
        Their orders do not show this money. Remove the cause, then move all of them back to the event queue,
        whose consumer tries each again:
      </p>
      <Code text={command('payhooks dlq redrive')} label="the command that moves them back" />
      {error !== undefined && <Failure error={error} />}
      {letters === undefined && error === undefined && <Skeleton lines={2} />}
      {letters?.groups.map((group) => (
        <Group key={group.error} group={group} />
      ))}
      {letters?.note && <p class="faint">{letters.note}</p>}
    </Section>
  );
}

/** A look hides the messages from others for a moment: they are read again when their number changes. */
function useDeadLetters(count: number) {
  const [state, setState] = useState<{ letters?: DeadLetters; error?: ApiError }>({});
  useEffect(() => {
    const stop = new AbortController();
    getApi<DeadLetters>('/console/api/dead-letters', {}, stop.signal)
      .then((letters) => setState({ letters }))
      .catch((error: unknown) => stop.signal.aborted || setState({ error: asApiError(error) }));
    return () => stop.abort();
  }, [count]);
  return state;
}

const shownMax = 20;

function Group({ group: { error, meaning, messages } }: { readonly group: DeadLetterGroup }) {
  return (
    <>
      <p class="clip">
        <strong>
          {messages.length} × {visibleText(error)}
        </strong>
        {meaning !== '' && `: ${meaning}`}
      </p>
      <ul class="items">
        {messages.slice(0, shownMax).map((letter) => (
          <Item
            key={letter.message_id}
            title={
              <>
                {letter.event_name !== null && (
                  <bdi class="strong clip">{visibleText(letter.event_name)}</bdi>
                )}
                <Id value={letter.event_id ?? letter.message_id} copy />
              </>
            }
            meta={
              <>
                <Moment at={letter.received_at ?? letter.sent_at} />
                {letter.mode !== null && <span>{letter.mode}</span>}
                {letter.redriven_before && <span>redriven before</span>}
                {letter.malformed && <span>can never be read</span>}
                <Labelled
                  kind="order"
                  id={letter.order_id}
                  mode={letter.mode === 'sandbox' ? 'sandbox' : 'live'}
                />
              </>
            }
          />
        ))}
      </ul>
      {messages.length > shownMax && <p class="faint">And {messages.length - shownMax} more.</p>}
    </>
  );
}
