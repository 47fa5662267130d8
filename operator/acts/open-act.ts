import { openOperations, openOrderQuery } from '../apis.ts';
import { readEntries } from '../keys.ts';
import type { Stack } from '../stack/stack.ts';
import type { Act, Performer } from './act.ts';
import type { ActRequest } from './documents.ts';
import { erase } from './erase.ts';
import { judge } from './judge.ts';
import { allPages, type RequestPages } from './pages.ts';
import { replay } from './replay.ts';
import { resolve } from './resolve.ts';

/**
 * The act that a request names, on a stack. Both its dry runs and the act itself are of this one object. The
 * pages of a replay or an erasure are requested one after the other, unless the performer knows another way.
 */
export function openAct(
  stack: Stack,
  request: ActRequest,
  performer: Performer & { readonly requestPages?: RequestPages },
): Act {
  const operations = openOperations(stack);
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
