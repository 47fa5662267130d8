import type { ActResult, OperationsClient, Proposal } from '@payhooks/order-client';
import { printable } from '../printable.ts';
import { proposalTitle } from '../sentences/act-titles.ts';
import { type Act, actorOf, quoted } from './act.ts';
import type { ActRequest } from './documents.ts';

/** What was proposed. Without names, a resolution is about every attention that the order had. */
export function proposedRequest({ act, request, orders }: Proposal): ActRequest {
  const attention = orders.flatMap(({ before }) => before?.attention ?? []);
  return { ...(act === 'resolve' && { attention }), ...request, act } as ActRequest;
}

interface Page {
  readonly dry_run?: boolean;
  readonly reason?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** Each request for the act of a proposal is one for its approval. */
export function approvingOperations(
  operations: OperationsClient,
  { id, mode, plan_sha256 }: Proposal,
): OperationsClient {
  const approve = ({ dry_run, reason, cursor, limit }: Page, options?: object) =>
    operations.approve(
      {
        ...{ id, mode, plan_sha256, ...(dry_run !== undefined && { dry_run }) },
        ...{ ...(reason !== undefined && { reason }), ...(cursor && { cursor }), ...(limit && { limit }) },
      },
      options,
    );
  const approving = { admit: approve, dismiss: approve, resolve: approve, replay: approve, erase: approve };
  return { ...operations, ...approving } as OperationsClient;
}

const staleSentence =
  'This is not what was proposed: something has changed since, and an approval is refused. Reject it, and ' +
  'propose the act again.';

/** The act that was proposed, done by another operator. */
export function approval(act: Act, proposal: Proposal): Act {
  // The pages of a run have hashes of their own.
  const isRun = proposal.act === 'replay' || proposal.act === 'erase';
  return {
    ...act,
    question: () => `Approve: ${act.question()}`,
    context: () => contextOf(act, proposal),
    obstacle: ({ plan_sha256 }) =>
      isRun || plan_sha256 === proposal.plan_sha256 ? undefined : staleSentence,
    unneeded: (preview) => `${act.unneeded(preview)} If the proposal still waits, reject it.`,
    done: (result) => `Approved. ${act.done(result)}`,
  };
}

/** The end of a proposal without its act. */
export function rejection(
  act: Act,
  proposal: Proposal,
  operations: Pick<OperationsClient, 'reject'>,
  options: { readonly signal?: AbortSignal | undefined },
): Act {
  const { id, mode, waits, at, plan_sha256 } = proposal;
  const same = { act: proposal.act, mode, plan_sha256, proposal_id: null, events: [], orders: [] };
  return {
    question: () => `Reject: ${proposalTitle(proposal, { text: printable, id: printable })}?`,
    async send({ dry_run, reason = '' }): Promise<ActResult> {
      if (dry_run) return { ...same, dry_run, changed: waits, by: '', at, reason: '' };
      const { rejected } = await operations.reject({ mode, id, reason }, options);
      const decision = rejected ?? { by: '', at, reason: '' };
      return { ...same, dry_run, changed: decision.reason === reason, ...decision };
    },
    context: () => contextOf(act, proposal),
    consequence: () => 'If you reject it, it is not done, and its proposal ends.',
    unneeded: () => 'It was approved or rejected already.',
    done: () => 'Rejected: it is not done.',
    recorded: act.recorded,
  };
}

const contextOf = (act: Act, { by, at, reason }: Proposal): readonly string[] => [
  `${actorOf(by)} proposed it at ${at}: ${quoted(reason)}.`,
  ...(act.context?.() ?? []),
];
