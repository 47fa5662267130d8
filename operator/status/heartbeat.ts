import * as v from 'valibot';
import { readLocalView } from '../stack/local-mode.ts';
import { outputOf, type Stack } from '../stack/stack.ts';

/** When a heartbeat last returned, within the last hours; `null` if none did. ISO 8601. */
export type ReturnedAt = string | null;

const localView = v.object({ returned_at: v.nullable(v.string()) });

/** `undefined` for a stack without heartbeats. */
export async function readHeartbeat(stack: Stack): Promise<ReturnedAt | undefined> {
  if (stack.localUrl !== undefined)
    return (await readLocalView(stack.localUrl, '/heartbeat', localView)).returned_at;
  if (stack.outputs['HeartbeatLogGroup'] === undefined) return undefined;
  const { lastHeartbeat } = await import('../aws/last-heartbeat.ts');
  return (await lastHeartbeat(outputOf(stack, 'MetricsNamespace')))?.toISOString() ?? null;
}
