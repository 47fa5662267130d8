import type { ReasonRule, StateReason } from '@payhooks/order-client';

/** What an event did to the money. `none`: no reason of the state names it. */
export type Role = 'payment' | 'refund' | 'failure' | 'dispute' | 'none';

const rolesOfRules: Readonly<Partial<Record<ReasonRule, Role>>> = {
  payment_counted: 'payment',
  payment_failed: 'failure',
  refund_partial: 'refund',
  refund_full: 'refund',
  transaction_returned_in_full: 'refund',
  refund_without_payment: 'refund',
  disputed: 'dispute',
};

/** By event id. The reasons know the meaning of every event name, also of one that a stack has configured. */
export function rolesOf(reasons: readonly StateReason[]): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  for (const { rule, event_ids } of reasons) {
    const role = Object.hasOwn(rolesOfRules, rule) ? rolesOfRules[rule] : undefined;
    for (const id of event_ids) if (role !== undefined && !roles.has(id)) roles.set(id, role);
  }
  return roles;
}
