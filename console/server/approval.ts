import type { ActResult, OperationsClient, Proposal } from '@payhooks/order-client';
import { type Act, actorOf, type Performer, quoted } from '../../operator/acts/act.ts';
import { openApproval } from '../../operator/acts/open-act.ts';
import type { RequestPages } from '../../operator/acts/pages.ts';
import { openOperations } from '../../operator/apis.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import type { ConsoleApproval } from '../contract.ts';
import { ConsoleProblem } from './problem.ts';

/** Does what another person has proposed, or ends it. */
export async function approvalAct(
  stack: Stack,
  { act, id, mode }: ConsoleApproval,
  performer: Performer & { readonly requestPages: RequestPages },
): Promise<Act> {
  const operations = openOperations(stack);
  const { signal } = performer;
  const [proposal] = (await operations.approvals({ id, mode, signal })).proposals;
  if (proposal === undefined) throw new ConsoleProblem(404, `There is no proposal ${id}.`);
  if (act === 'reject') return rejection(operations, proposal, signal);
  const isRun = proposal.act === 'replay' || proposal.act === 'erase';
  const opened = openApproval(stack, proposal, performer);
  if (opened.isLong)
    throw new ConsoleProblem(400, `It replays a time, which takes long: payhooks approvals approve ${id}`);
  let isStale = false;
  return {
    ...opened,
    async send(given) {
      const result = await opened.send(given);
      // The pages of a run have hashes of their own.
      isStale = given.dry_run && !isRun && result.changed && result.plan_sha256 !== proposal.plan_sha256;
      return isStale ? { ...result, changed: false } : result;
    },
    unneeded: (preview) => (isStale ? staleText : opened.unneeded(preview)),
  };
}

const staleText =
  'What it does has changed since it was proposed, so it cannot be approved. Below is what it would do ' +
  'now: reject it, and propose it again.';

function rejection(
  operations: Pick<OperationsClient, 'reject'>,
  proposal: Proposal,
  signal: AbortSignal | undefined,
): Act {
  const { id, mode, act, by, at, plan_sha256, request } = proposal;
  const ofAct = { act, mode, plan_sha256, proposal_id: null, events: [], orders: [] };
  return {
    question: `Reject ${id}?`,
    async send({ dry_run, reason = '' }): Promise<ActResult> {
      if (dry_run) return { ...ofAct, dry_run, changed: proposal.waits, by: '', at, reason: '' };
      const { rejected } = await operations.reject({ mode, id, reason }, { signal });
      const decision = rejected ?? { by: '', at, reason: '' };
      return { ...ofAct, dry_run, changed: decision.reason === reason, ...decision };
    },
    context: () => [`${actorOf(by)} proposed it at ${at}: ${quoted(proposal.reason)}.`],
    consequence: () => 'If you reject it, it is not done, and its proposal ends.',
    unneeded: () => 'It was approved or rejected already.',
    done: () => 'Rejected: it is not done.',
    recorded: { event_id: textIn(request, 'event_id'), order_id: textIn(request, 'order_id') },
  };
}

const textIn = (request: Proposal['request'], name: string): string | undefined => {
  const value = request[name];
  return typeof value === 'string' ? value : undefined;
};
