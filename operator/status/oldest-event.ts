import * as v from 'valibot';
import { localProbeMilliseconds } from '../limits.ts';
import { outputOf, type Stack } from '../stack/stack.ts';

/** The age in seconds of the oldest event that is not recorded; `null` if it is not known. */
export async function readOldestEvent(stack: Stack): Promise<number | null> {
  if (stack.localUrl !== undefined) return readLocal(stack.localUrl);
  const { oldestMessageSeconds } = await import('../aws/oldest-message.ts');
  return oldestMessageSeconds(outputOf(stack, 'EventQueueUrl'));
}

const localSeries = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ oldest_seconds: v.array(v.nullable(v.number())) }),
);

async function readLocal(localUrl: string): Promise<number | null> {
  const response = await fetch(new URL('/series', localUrl), {
    signal: AbortSignal.timeout(localProbeMilliseconds),
  });
  const { success, output } = v.safeParse(localSeries, response.ok ? await response.text() : '');
  return success ? (output.oldest_seconds.at(-1) ?? null) : null;
}
