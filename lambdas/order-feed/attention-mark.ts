import type { AttentionMark, MarkAttention } from '../ports/attention-mark.ts';
import { errorFields, type Telemetry } from '../ports/telemetry.ts';
import type { OrderWrite } from './order-change.ts';
import type { OrderStatusChanged } from './order-status-changed.ts';

/**
 * What a change makes of the mark; nothing for most changes, as few orders have attention. An order that is
 * published again gets its mark again: the feed may have given up on a change.
 */
export function attentionMark(
  { isPublishedAgain }: Pick<OrderWrite, 'isPublishedAgain'>,
  { mode, order_id, previous, current, sequence, updated_at }: OrderStatusChanged,
): AttentionMark | undefined {
  const { attention } = current;
  const isSame = `${previous?.attention ?? ''}` === `${attention}`;
  if (mode === 'heartbeat' || (isSame && !isPublishedAgain)) return undefined;
  return { mode, orderId: order_id, attention, sequence, changedAt: updated_at };
}

interface MarkingParts {
  readonly markAttention: MarkAttention;
  readonly telemetry: Pick<Telemetry, 'log'>;
}

/** Stores the marks of these steps, and returns the steps for which that failed. */
export async function markAll<Step extends { readonly mark?: AttentionMark | undefined }>(
  { markAttention, telemetry }: MarkingParts,
  steps: readonly Step[],
): Promise<ReadonlySet<Step>> {
  const unmarked = new Set<Step>();
  for (const step of steps) {
    const { mark } = step;
    if (mark === undefined) continue;
    await markAttention(mark).catch((error: unknown) => {
      unmarked.add(step);
      const fields = { mode: mark.mode, order_id: mark.orderId, ...errorFields(error) };
      telemetry.log('error', 'attention of an order not marked', fields);
    });
  }
  return unmarked;
}
