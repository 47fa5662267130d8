import { type WaitingKind, waitingKinds } from '../contract/waiting-kinds.ts';
import type { Mode } from '../domain/signature.ts';
import { refuseUnknown } from '../http-api/parameters.ts';
import type { RouteRequest, RouteResult } from '../http-api/route.ts';
import type { OperationsParts } from './parts.ts';

/** The response of `GET /operations/waiting/counts`: every kind in both modes. */
export interface WaitingCounts {
  readonly counts: readonly WaitingCount[];
}

export interface WaitingCount {
  readonly mode: Mode;
  readonly kind: WaitingKind;
  /** Above some thousands a lower bound. */
  readonly count: number;
  /** `null` when nothing waits. */
  readonly oldest_recorded_at: string | null;
}

const modes: readonly Mode[] = ['live', 'sandbox'];

export async function getWaitingCounts(
  parts: OperationsParts,
  { query }: RouteRequest,
): Promise<RouteResult> {
  refuseUnknown(query, []);
  const partitions = modes.flatMap((mode) => waitingKinds.map((kind) => ({ mode, kind })));
  const counts = partitions.map(async (partition) => ({
    ...partition,
    ...(await countOf(parts, partition)),
  }));
  const body: WaitingCounts = { counts: await Promise.all(counts) };
  return { ok: true, body };
}

async function countOf(
  { waiting }: OperationsParts,
  { mode, kind }: Pick<WaitingCount, 'mode' | 'kind'>,
): Promise<Omit<WaitingCount, 'mode' | 'kind'>> {
  const [count, oldest] = await Promise.all([waiting.count(mode, kind), waiting.oldest(mode, kind)]);
  return { count, oldest_recorded_at: oldest ?? null };
}
