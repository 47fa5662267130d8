import type { ActResult, ApprovedResult, OperationsClient, Proposal } from '@payhooks/order-client';
import { type Act, actorOf, quoted } from '../../operator/acts/act.ts';
import { type PagePerformer, wholeOf } from '../../operator/acts/pages.ts';
import type { ConsoleApproval } from '../contract.ts';
import { ConsoleProblem } from './problem.ts';

type Operations = Pick<OperationsClient, 'approvals' | 'approve' | 'reject'>;

/** Does what another person has proposed, or ends it: an act of its own, planned with the stored request. */
export function approvalAct(
  operations: Operations,
  { act, id, mode }: ConsoleApproval,
  performer: PagePerformer,
): Act {
  const { signal } = performer;
  let proposal: Proposal | undefined;
  let isStale = false;
  const read = async (): Promise<Proposal> => {
    const [found] = (await operations.approvals({ id, mode, signal })).proposals;
    if (found === undefined) throw new ConsoleProblem(404, `There is no proposal ${id}.`);
    if (
      act === 'approve' &&
      found.act === 'replay' &&
      !('event_id' in found.request || 'order_id' in found.request)
    )
      throw new ConsoleProblem(400, `It replays a time, which takes long: payhooks approvals approve ${id}`);
    return found;
  };
  async function approve(given: Parameters<Act['send']>[0]): Promise<ActResult> {
    const seen = given.dry_run || proposal === undefined ? await read() : proposal;
    proposal = seen;
    const confirmed = given.dry_run ? {} : { plan_sha256: seen.plan_sha256 };
    const pages = await performer.requestPages({
      request: async (place) =>
        withCursor(await operations.approve({ mode, id, ...given, ...confirmed, ...place }, { signal })),
      handled: ({ events }) => events.length,
      ...{ doing: 'Approving', subject: id, isPreview: given.dry_run },
    });
    const whole = wholeOf(pages);
    isStale = given.dry_run && whole.changed && pages.length === 1 && whole.plan_sha256 !== seen.plan_sha256;
    return isStale ? { ...whole, changed: false } : whole;
  }
  async function reject({ dry_run, reason = '' }: Parameters<Act['send']>[0]): Promise<ActResult> {
    const ended = dry_run ? await read() : await operations.reject({ mode, id, reason }, { signal });
    proposal = ended;
    const { by = '', at = ended.at, reason: why = '' } = ended.rejected ?? {};
    const changed = dry_run ? ended.waits : why === reason;
    const { plan_sha256 } = ended;
    return {
      ...{ act: ended.act, mode: ended.mode, dry_run, changed, by, at, reason: why, plan_sha256 },
      ...{ proposal_id: null, events: [], orders: [] },
    };
  }
  return {
    question: act === 'approve' ? `Approve ${id}?` : `Reject ${id}?`,
    send: act === 'approve' ? approve : reject,
    context: () => (proposal === undefined ? [] : [proposedText(proposal)]),
    agreed: () => proposal?.plan_sha256,
    consequence: () =>
      act === 'approve'
        ? 'If you approve it, it is done at once, as shown below.'
        : 'If you reject it, it is not done, and its proposal ends.',
    unneeded: () =>
      isStale
        ? 'What it does has changed since it was proposed, so it cannot be approved. Below is what it would do ' +
          'now. Reject it, and propose it again.'
        : endOf(proposal),
    done: ({ act: done }) =>
      act === 'approve' ? `Approved, and done: ${done}.` : 'Rejected: it is not done.',
    get recorded() {
      const { event_id, order_id } = proposal?.request ?? {};
      return {
        ...(typeof event_id === 'string' && { event_id }),
        ...(typeof order_id === 'string' && { order_id }),
      };
    },
  };
}

const withCursor = (page: ApprovedResult) => ({ next_cursor: null, ...page });

const proposedText = ({ act, by, at, reason }: Proposal): string =>
  `${actorOf(by)} proposed at ${at} to ${act}: ${quoted(reason)}`;

/** Why nothing is left to decide. */
function endOf({ approved = null, rejected = null }: Partial<Proposal> = {}): string {
  const end = rejected ?? approved;
  if (end === null) return 'It would change nothing.';
  return `${actorOf(end.by)} ${rejected === null ? 'approved' : 'rejected'} it at ${end.at}: ${quoted(end.reason)}.`;
}
