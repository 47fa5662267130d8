import * as v from 'valibot';
import { readLocalView } from '../stack/local-mode.ts';
import { outputOf, type Stack } from '../stack/stack.ts';

const localSeries = v.object({ oldest_seconds: v.array(v.nullable(v.number())) });

/** The age in seconds of the oldest event that is not recorded; `null` if it is not known. */
export async function readOldestEvent(stack: Stack): Promise<number | null> {
  if (stack.localUrl !== undefined)
    return (await readLocalView(stack.localUrl, '/series', localSeries)).oldest_seconds.at(-1) ?? null;
  const { oldestMessageSeconds } = await import('../aws/oldest-message.ts');
  return oldestMessageSeconds(outputOf(stack, 'EventQueueUrl'));
}
