import { readRefused } from '../../operator/refused/read-refused.ts';
import { type RefusedDocument, refusedHours } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { createKept } from './kept.ts';
import { ConsoleProblem } from './problem.ts';

/** Logs Insights bills each reading; `docs/console.md` states the cost that follows. */
const keptMilliseconds = 5 * 60 * 1_000;

export function refusedRoute({ stack, log }: ConsoleContext): ConsoleRoute {
  const readers = refusedHours.map((hours): readonly [string, () => Promise<RefusedDocument>] => {
    const read = async () => {
      const until = Date.now();
      return readRefused(await stack(), { since: until - Number(hours) * 3_600_000, until });
    };
    // Local mode shows at once what has changed.
    return [hours, log === undefined ? createKept(read, keptMilliseconds) : read];
  });
  return {
    method: 'GET',
    path: '/console/api/refused',
    async handle({ query }) {
      const read = new Map(readers).get(query.get('hours') ?? '');
      if (read === undefined) throw new ConsoleProblem(400, `hours is one of ${refusedHours.join(', ')}.`);
      return read();
    },
  };
}
