import type { OperationsClient } from '@payhooks/order-client';
import { openOperations, openOrderQuery } from '../apis.ts';
import { readEntries } from '../keys.ts';
import { CommandError } from '../operator-error.ts';
import { printable } from '../printable.ts';
import type { Stack } from '../stack/stack.ts';
import type { Act, Performer } from './act.ts';
import { approval, approvingOperations, proposedRequest, rejection } from './approval.ts';
import type { ActRequest, DecisionRequest } from './documents.ts';
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
export async function openAct(
  stack: Stack,
  request: ActRequest | DecisionRequest,
  performer: AnyPerformer,
): Promise<Act> {
  const operations = openOperations(stack);
  if (!('id' in request)) return actOf(stack, request, performer, operations);
  const { id, mode } = request;
  const { signal } = performer;
  const [proposal] = (await operations.approvals({ id, mode, signal })).proposals;
  if (proposal === undefined) throw new CommandError('failed', `No proposal has the id ${printable(id)}.`);
  const pages = undivided(performer.requestPages ?? allPages(performer.wait));
  const proposed = actOf(
    stack,
    proposedRequest(proposal),
    { ...performer, requestPages: pages },
    approvingOperations(operations, proposal),
  );
  return request.act === 'approve'
    ? approval(proposed, proposal)
    : rejection(proposed, proposal, operations, { signal });
}

function actOf(
  stack: Stack,
  request: ActRequest,
  performer: AnyPerformer,
  operations: OperationsClient,
): Act {
  const { requestPages = allPages(performer.wait), signal } = performer;
  switch (request.act) {
    case 'admit':
    case 'dismiss':
      return judge(operations, request, { ...performer, readKeys: () => readEntries(stack) });
    case 'resolve':
      return resolve({ operations, query: openOrderQuery(stack) }, request, performer);
    case 'replay':
      return replay(operations, request, {
        signal,
        async requestPages(work) {
          if (work.segments === undefined || work.isPreview) return requestPages(work);
          const { required } = await operations.approvals({ mode: request.mode, signal });
          return required.includes('replay') ? undivided(requestPages)(work) : requestPages(work);
        },
      });
    case 'erase':
      return erase(operations, request, { requestPages, signal });
  }
}

/** One proposal and one approval for the whole run, and not one for each part of the tables. */
const undivided =
  (requestPages: RequestPages): RequestPages =>
  (work) =>
    requestPages({ ...work, segments: undefined, isOfTables: false });
