import { isActive, openDeadLetters } from '../../operator/dead-letters/open.ts';
import type { DeadLetters } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { createKept } from './kept.ts';

/** A look takes a second, in which it hides the messages from the next look. */
const keptMilliseconds = 3_000;

export function deadLettersRoute({ stack, env }: ConsoleContext): ConsoleRoute {
  async function read(): Promise<DeadLetters> {
    const notes: string[] = [];
    const note = (line: string) => void notes.push(line);
    const queue = await openDeadLetters(await stack(), { env, note, progress: () => {} });
    // A look needs fewer permissions than a redrive. A message that it hides would not be moved.
    const task = await queue.latestTask().catch(() => undefined);
    if (isActive(task)) return { depth: await queue.depth(), seen: 0, groups: [], note: null };
    const { letters: _, ...document } = await queue.look();
    return { ...document, note: notes[0] ?? null };
  }
  return {
    method: 'GET',
    path: '/console/api/dead-letters',
    handle: createKept(read, keptMilliseconds),
  };
}
