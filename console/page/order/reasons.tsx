import type { Mode, StateReason } from '@payhooks/order-client';
import { Fragment } from 'preact';
import { attentionSentences } from '../../../lambdas/contract/attention-sentences.ts';
import { reasonSentence } from '../../../lambdas/contract/reason-sentences.ts';
import { href } from '../data/href.ts';
import { Section } from '../parts/page.tsx';
import { visibleText } from '../parts/texts.ts';
import { Id } from '../parts/values.tsx';

const shownMax = 5;

/** Why the status is what it is; the attentions have callouts of their own. */
export function Reasons({
  reasons,
  mode,
}: {
  readonly reasons: readonly StateReason[];
  readonly mode: Mode;
}) {
  const ofStatus = reasons.filter(({ rule }) => !Object.hasOwn(attentionSentences, rule));
  return (
    <Section title="Why this is the state" note="the same in any order of arrival">
      <ul class="lines">
        {ofStatus.map((reason) => (
          <li key={`${reason.rule} ${reason.transaction_id} ${reason.event_ids[0]}`}>
            {visibleText(reasonSentence(reason))}{' '}
            {reason.event_ids.slice(0, shownMax).map((id) => (
              <Fragment key={id}>
                <Id value={id} href={href.event(id, mode)} />{' '}
              </Fragment>
            ))}
            {reason.event_ids.length > shownMax && (
              <span class="faint">and {reason.event_ids.length - shownMax} more</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
