import * as v from 'valibot';
import { localProbeMilliseconds } from '../limits.ts';
import { CommandError } from '../operator-error.ts';
import { outputOf, type Stack } from '../stack/stack.ts';

/** When a heartbeat last returned, within the last hours; `null` if none did. ISO 8601. */
export type ReturnedAt = string | null;

/** `undefined` for a stack without heartbeats, or of an older release. */
export async function readHeartbeat(stack: Stack): Promise<ReturnedAt | undefined> {
  if (stack.localUrl !== undefined) return readLocal(stack.localUrl);
  if (stack.outputs['HeartbeatLogGroup'] === undefined) return undefined;
  const { lastHeartbeat } = await import('../aws/last-heartbeat.ts');
  return (await lastHeartbeat(outputOf(stack, 'MetricsNamespace')))?.toISOString() ?? null;
}

const localView = v.pipe(v.string(), v.parseJson(), v.object({ returned_at: v.nullable(v.string()) }));

async function readLocal(localUrl: string): Promise<ReturnedAt | undefined> {
  const response = await fetch(new URL('/heartbeat', localUrl), {
    signal: AbortSignal.timeout(localProbeMilliseconds),
  });
  if (response.status === 404) return undefined;
  const { success, output } = v.safeParse(localView, await response.text());
  if (success) return output.returned_at;
  throw new CommandError('failed', `GET ${localUrl}/heartbeat is not the latest heartbeat.`);
}
