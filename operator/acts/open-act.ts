import type { OperationsClient, Proposal } from '@payhooks/order-client';
import { openOperations, openOrderQuery } from '../apis.ts';
import { readEntries } from '../keys.ts';
import type { Stack } from '../stack/stack.ts';
import { type Act, actorOf, type Performer, quoted } from './act.ts';
import type { ActRequest } from './documents.ts';
import { erase } from './erase.ts';
import { judge } from './judge.ts';
import { allPages, type RequestPages } from './pages.ts';
import { replay } from './replay.ts';
import { resolve } from './resolve.ts';

type AnyPerformer = Performer & { readonly requestPages?: RequestPages };

/**
 * The act that a request names, on a stack. Both its dry runs and the act itself are of this one object. The
 * pages of a replay or an erasure are requested one after the other, unless the performer knows another way.
 */
export function openAct(
  stack: Stack,
  request: ActRequest,
  performer: AnyPerformer,
  operations: OperationsClient = openOperations(stack),
): Act {
  const { requestPages = allPages(performer.wait), signal } = performer;
  switch (request.act) {
    case 'admit':
    case 'dismiss':
      return judge(operations, request, { ...performer, readKeys: () => readEntries(stack) });
    case 'resolve':
      return resolve({ operations, query: openOrderQuery(stack) }, request, performer);
    case 'replay':
      return replay(operations, request, { requestPages, signal });
    case 'erase':
      return erase(operations, request, { requestPages, signal });
  }
}

/** The act that was proposed, for another operator: each request for it is one for the approval. */
export function openApproval(stack: Stack, proposal: Proposal, performer: AnyPerformer): Act {
  const { id, mode, plan_sha256, act, by, at, reason } = proposal;
  const operations = openOperations(stack);
  const approve = ({ dry_run, reason: why, cursor, limit }: Page, options?: object) =>
    operations.approve(
      {
        ...{ id, mode, plan_sha256, ...(dry_run !== undefined && { dry_run }) },
        ...{ ...(why !== undefined && { reason: why }), ...(cursor && { cursor }), ...(limit && { limit }) },
      },
      options,
    );
  const approving = { ...operations, admit: approve, dismiss: approve, resolve: approve };
  const all = { ...approving, replay: approve, erase: approve } as OperationsClient;
  const opened = openAct(stack, requestOf(proposal), performer, all);
  return {
    ...opened,
    question: `Approve: ${opened.question}`,
    context: () => [`${actorOf(by)} proposed it at ${at}: ${quoted(reason)}.`, ...(opened.context?.() ?? [])],
    async consequence(preview) {
      const sentence = await opened.consequence(preview);
      // The pages of a run have hashes of their own.
      const isComparable = act !== 'replay' && act !== 'erase';
      return isComparable && preview.plan_sha256 !== plan_sha256 ? `${staleSentence} ${sentence}` : sentence;
    },
    unneeded: (preview) => `${opened.unneeded(preview)} If the proposal still waits, reject it.`,
    done: (result) => `Approved. ${opened.done(result)}`,
  };
}

const staleSentence =
  'This is not what was proposed: something has changed since, and an approval is refused. Reject it, and ' +
  'propose the act again.';

interface Page {
  readonly dry_run?: boolean;
  readonly reason?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** Without names, a resolution is about every attention that the order had. */
function requestOf({ act, request, orders }: Proposal): ActRequest {
  const attention = orders.flatMap(({ before }) => before?.attention ?? []);
  return { ...(act === 'resolve' && { attention }), ...request, act } as ActRequest;
}
