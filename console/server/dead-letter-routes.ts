import * as v from 'valibot';
import { isActive, openDeadLetters } from '../../operator/dead-letters/open.ts';
import type { DeadLetters } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { createKept } from './kept.ts';
import { ConsoleProblem } from './problem.ts';

/** A look takes a second, in which it hides the messages from the next look. */
const keptMilliseconds = 3_000;

const redriveRequest = v.strictObject({ again: v.optional(v.boolean(), false) });

export function deadLetterRoutes({ stack, env }: ConsoleContext): readonly ConsoleRoute[] {
  const open = async (note: (line: string) => void = () => {}) =>
    openDeadLetters(await stack(), { env, note, progress: () => {} });
  const kept = createKept(async (): Promise<DeadLetters> => {
    const notes: string[] = [];
    const queue = await open((line) => void notes.push(line));
    // A look needs fewer permissions than a redrive.
    const task = await queue.latestTask().catch(() => undefined);
    const redrive = task === undefined ? null : { ...task, handle: undefined };
    // A message that is hidden by a look would not be moved.
    if (isActive(task)) return { depth: await queue.depth(), seen: 0, groups: [], note: null, redrive };
    const { letters: _, ...document } = await queue.look();
    return { ...document, note: notes[0] ?? null, redrive };
  }, keptMilliseconds);

  return [
    { method: 'GET', path: '/console/api/dead-letters', handle: kept.read },
    {
      method: 'POST',
      path: '/console/api/dead-letters/redrive',
      async handle({ body }) {
        const request = v.safeParse(redriveRequest, body);
        if (!request.success)
          throw new ConsoleProblem(400, 'Expected {"again": true}, {"again": false} or {}.');
        const queue = await open();
        const { refusal } = await queue.planRedrive(request.output.again);
        if (refusal !== undefined) throw new ConsoleProblem(409, refusal);
        await queue.startMove();
        kept.forget();
        return {};
      },
    },
  ];
}
