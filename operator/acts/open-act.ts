import { openOperations } from '../operations.ts';
import { openOrderQuery } from '../order-query.ts';
import type { Stack } from '../stack/stack.ts';
import type { Act, Wait } from './act.ts';
import type { ActRequest } from './documents.ts';
import { erase } from './erase.ts';
import { judge } from './judge.ts';
import { allPages, type RequestPages } from './pages.ts';
import { replay } from './replay.ts';
import { resolve } from './resolve.ts';

/** What an act needs of who performs it. */
export interface Performer {
  readonly wait: Wait;
  /** How to request the pages of a replay or an erasure; one after the other by default. */
  readonly requestPages?: RequestPages;
}

/** The act that a request names, on a stack. Both its dry runs and the act itself are of this one object. */
export function openAct(stack: Stack, request: ActRequest, { wait, ...performer }: Performer): Act {
  const operations = openOperations(stack);
  const { requestPages = allPages(wait) } = performer;
  switch (request.act) {
    case 'admit':
    case 'dismiss':
      return judge(operations, request, wait);
    case 'resolve':
      return resolve({ operations, query: openOrderQuery(stack) }, request, wait);
    case 'replay':
      return replay(operations, request, requestPages);
    case 'erase':
      return erase(operations, request, requestPages);
  }
}
