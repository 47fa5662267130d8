import type { Mode, WaitingEvent } from '@payhooks/order-client';
import { waitingSentences } from '../../../lambdas/contract/waiting-sentences.ts';
import { href } from '../data/href.ts';
import { Callout } from '../parts/callout.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id, Moment } from '../parts/values.tsx';
import { reasonWords, waitingWords, wordFor } from '../parts/words.ts';

/** What names the order and waits for a person. A conflict has a callout of its own as an attention. */
export function WaitingCallouts(props: { readonly waiting: readonly WaitingEvent[]; readonly mode: Mode }) {
  const { waiting, mode } = props;
  return (
    <>
      {waiting.map((one) => (
        <Callout
          key={`${one.event_id} ${one.body_sha256}`}
          tone="waiting"
          title={`Waits for a person: ${wordFor(waitingWords, one.kind)}`}
          actions={
            <a class="button" href={href.event(one.event_id, mode)}>
              Look at it and judge it
            </a>
          }
        >
          <p>
            {visibleText(one.event_name)} <Id value={one.event_id} href={href.event(one.event_id, mode)} />,
            received <Moment at={one.received_at} />. {whyOf(one)}
          </p>
        </Callout>
      ))}
    </>
  );
}

function whyOf({ kind, reason }: WaitingEvent): string {
  if (reason !== null) return `${wordFor(reasonWords, reason)}.`;
  const { dismissIf, admitIf } = waitingSentences[kind] ?? { dismissIf: '', admitIf: '' };
  return kind === 'conflict' ? 'Another event has the same id.' : `${admitIf}. ${dismissIf}.`;
}
