import { EventNotFoundError } from '@payhooks/order-client';
import type { IsStored } from '../../lambdas/webhook-audit/reconcile.ts';
import { openOperations } from '../../operator/operations.ts';
import type { Stack } from '../../operator/stack/stack.ts';

/** Looks events up by their id, whatever became of them, without their bodies. */
export function openStored(stack: Stack): IsStored {
  const client = openOperations(stack);
  return async function isStored(mode, eventId) {
    try {
      await client.event(eventId, { mode });
      return true;
    } catch (error) {
      if (error instanceof EventNotFoundError) return false;
      throw error;
    }
  };
}
