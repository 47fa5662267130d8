import * as v from 'valibot';
import { deadLetterDocument } from '../../cli/dlq/list.ts';
import { look, type OpenQueue, openQueueOf } from '../../cli/dlq/open.ts';
import { checkRedrive } from '../../cli/dlq/redrive.ts';
import type { MoveTask } from '../../operator/aws/dead-letter-queue.ts';
import { CommandError } from '../../operator/operator-error.ts';
import type { DeadLetters, Redrive } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { createKept } from './kept.ts';
import { ConsoleProblem } from './problem.ts';

/** A look takes a second, in which it hides the messages from the next look. */
const keptMilliseconds = 3_000;

const redriveRequest = v.strictObject({ again: v.optional(v.boolean(), false) });

export function deadLetterRoutes({ stack, env }: ConsoleContext): readonly ConsoleRoute[] {
  const lookAt = async (open: OpenQueue) => {
    const notes: string[] = [];
    const terminal = { note: (line: string) => void notes.push(line), progress: () => {} };
    return { ...(await look({ env, terminal }, open)), note: notes[0] ?? null };
  };
  const kept = createKept(async (): Promise<DeadLetters> => {
    const open = await openQueueOf(await stack());
    // A look needs fewer permissions than a redrive.
    const task = await open.queue.latestTask().catch(() => undefined);
    const redrive = task === undefined ? null : redriveOf(task);
    // A message that is hidden by a look would not be moved.
    if (isActive(task)) return { depth: await open.queue.depth(), seen: 0, groups: [], note: null, redrive };
    const seen = await lookAt(open);
    return { ...deadLetterDocument(seen), note: seen.note, redrive };
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
        const open = await openQueueOf(await stack());
        if (isActive(await open.queue.latestTask())) {
          throw new ConsoleProblem(409, 'A redrive is active already. Wait until it is over.');
        }
        const seen = await lookAt(open);
        if (seen.depth === 0) throw new ConsoleProblem(409, 'The dead-letter queue is empty.');
        await checkRedrive(open, seen, request.output.again ? { again: true } : {}).catch(asConflict);
        await open.queue.startMove(undefined);
        kept.forget();
        return {};
      },
    },
  ];
}

/** SQS gives a task a handle for as long as it can be cancelled. */
const isActive = (task: MoveTask | undefined): boolean => task?.handle !== undefined;

function asConflict(error: unknown): never {
  if (error instanceof CommandError) throw new ConsoleProblem(409, error.message, { cause: error });
  throw error;
}

const redriveOf = ({ status, moved, toMove, startedAt, failureReason }: MoveTask): Redrive => ({
  status,
  moved,
  to_move: toMove,
  started_at: new Date(startedAt).toISOString(),
  failure_reason: failureReason ?? null,
});
