import { useEffect, useState } from 'preact/hooks';
import type { DeadLetterGroup, DeadLetters } from '../../contract.ts';
import { useOpenAct } from '../acts/acts.tsx';
import { ApiError, getApi } from '../data/api.ts';
import { href } from '../data/href.ts';
import { useMode } from '../data/mode.ts';
import { Failure, Skeleton } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Moment } from '../parts/values.tsx';

/** Events that were acknowledged and could not be recorded, by their error. */
export function DeadLettersSection({ count }: { readonly count: number }) {
  const open = useOpenAct();
  const { letters, error } = useDeadLetters(count);
  return (
    <Section
      title={`Could not be recorded (${count})`}
      note="Acknowledged events in the dead-letter queue, of both modes."
      actions={
        <button type="button" class="button" onClick={() => open({ act: 'redrive' })}>
          Redrive
        </button>
      }
    >
      <dl class="choices">
        <dt>Redrive</dt>
        <dd>
          All of them go back to the event queue, and the consumer tries each again. Remove the cause first:
          until then, their orders do not show this money.
        </dd>
      </dl>
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
      .catch((error: unknown) => {
        if (error instanceof ApiError) setState({ error });
      });
    return () => stop.abort();
  }, [count]);
  return state;
}

const shownMax = 20;

function Group({ group: { error, meaning, messages } }: { readonly group: DeadLetterGroup }) {
  const mode = useMode();
  return (
    <>
      <p class="letter-group">
        <strong>
          {messages.length} × {visibleText(error)}
        </strong>
        {meaning !== '' && `: ${meaning}`}
      </p>
      <ul class="waiting-items">
        {messages.slice(0, shownMax).map((letter) => (
          <li key={letter.message_id} class="waiting-item">
            <div class="waiting-what">
              <div class="waiting-title">
                {letter.event_name !== null && (
                  <bdi class="waiting-name">{visibleText(letter.event_name)}</bdi>
                )}
                <Id value={letter.event_id ?? letter.message_id} copy />
              </div>
              <div class="waiting-meta">
                <Moment at={letter.received_at ?? letter.sent_at} />
                {letter.mode !== null && <span>{letter.mode}</span>}
                {letter.redriven_before && <span>redriven before</span>}
                {letter.malformed && <span>can never be read</span>}
                {letter.order_id !== null && (
                  <span class="labelled">
                    order{' '}
                    <Id
                      value={letter.order_id}
                      href={href.order(letter.order_id, letter.mode === 'sandbox' ? 'sandbox' : mode)}
                    />
                  </span>
                )}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {messages.length > shownMax && <p class="faint">And {messages.length - shownMax} more.</p>}
    </>
  );
}
