import { EventNotFoundError } from '@payhooks/order-client';
import type { IsStored } from '../../lambdas/webhook-audit/reconcile.ts';
import { openOrderQuery } from '../order-query.ts';
import type { Stack } from '../target/stack.ts';

/** Looks events up by their id, whatever became of them. */
export function openStored(stack: Stack): IsStored {
  const client = openOrderQuery(stack);
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
