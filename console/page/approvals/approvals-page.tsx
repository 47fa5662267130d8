import type { Approvals, Proposal } from '@payhooks/order-client';
import { ActButton } from '../acts/acts.tsx';
import { Changes } from '../acts/changes.tsx';
import { decide, proposedTitle } from '../acts/operations.ts';
import { useMode } from '../data/address.ts';
import { Empty } from '../parts/callout.tsx';
import { Page, Section } from '../parts/page.tsx';
import { counted, visibleText } from '../parts/texts.ts';
import { Id, Labelled, Moment } from '../parts/values.tsx';
import { Choices, More } from '../waiting/items.tsx';
import { usePages } from '../waiting/use-pages.ts';

/** The acts that one person has proposed and another one must approve, with what each does to the money. */
export function ApprovalsPage() {
  const mode = useMode();
  const pages = usePages<Approvals>('/operations/approvals', { mode });
  const proposals = (pages.data ?? []).flatMap((page) => page.proposals);
  const required = pages.data?.[0]?.required ?? [];
  const count = `${counted(proposals.length, 'act')}${pages.hasNextPage ? ' or more' : ''}`;
  const waits = proposals.length === 1 ? 'waits' : 'wait';
  const lead = pages.isPending ? 'Reading what was proposed.' : `${count} ${waits} for another person.`;
  return (
    <Page title="Approvals" lead={proposals.length === 0 && pages.isSuccess ? 'No act waits.' : lead}>
      {proposals.length > 0 && (
        <Choices
          texts={{
            Approve: 'It is done, if it still does what is shown. The one who proposed it cannot approve it.',
            Reject: 'It is not done. The one who proposed it may reject it, too.',
          }}
        />
      )}
      {proposals.map((proposal) => (
        <ProposalSection key={proposal.id} proposal={proposal} />
      ))}
      {pages.isSuccess && proposals.length === 0 && (
        <Empty icon="check" title="Nothing to approve">
          {required.length === 0
            ? 'The setting approvals names no act that needs two people.'
            : `These acts need two people: ${required.join(', ')}.`}
        </Empty>
      )}
      <More pages={pages} />
    </Page>
  );
}

function ProposalSection({ proposal }: { readonly proposal: Proposal }) {
  const { id, mode, by, at, reason, expires_at, request, orders, more, approved } = proposal;
  const named = (name: string): string | null => {
    const value = request[name];
    return typeof value === 'string' ? value : null;
  };
  const isExpired = Date.parse(expires_at) <= Date.now();
  return (
    <Section
      title={
        <span class="row">
          <span class="clip">{proposedTitle(proposal)}</span> <Id value={id} copy />
        </span>
      }
      actions={
        <>
          {!isExpired && <ActButton act={decide('approve', proposal)}>Approve</ActButton>}
          <ActButton act={decide('reject', proposal)}>Reject</ActButton>
        </>
      }
    >
      <p class="row">
        <Labelled kind="event" id={named('event_id')} mode={mode} />
        <Labelled kind="order" id={named('order_id')} mode={mode} />
        {named('event_name') !== null && (
          <bdi class="strong clip">{visibleText(named('event_name') ?? '')}</bdi>
        )}
        {named('event_id') === null && named('body_sha256') !== null && <Id value={named('body_sha256')} />}
        {(named('since') ?? named('until')) !== null && (
          <span>
            from {named('since') ?? 'the first event'} to {named('until') ?? 'now'}
          </span>
        )}
      </p>
      <p class="clip">
        <bdi title={visibleText(by)}>{visibleText(by.split('/').at(-1) ?? by)}</bdi> proposed it{' '}
        <Moment at={at} />: <bdi>“{visibleText(reason)}”</bdi>{' '}
        {approved !== null && (
          <span class="strong">Approved, and not finished: approve again to go on. </span>
        )}
        {isExpired ? (
          <span class="strong">It has expired: reject it, and propose it again.</span>
        ) : (
          <span class="faint">
            expires <Moment at={expires_at} />
          </span>
        )}
      </p>
      <Changes orders={orders} mode={mode} />
      {more && <p class="faint">These are the first changes. The dialog of Approve shows all.</p>}
    </Section>
  );
}
