import type { ActConfirmation, ActPlan, ConfirmRequest, ConsoleAct, PlanRequest } from '../../contract.ts';
import { postApi } from '../data/api.ts';

/** An act as data: what its dialog asks for, what it would do, and what it did. */
export interface Act {
  /** Names the act and its subject, such as `Admit evt-1`. */
  readonly label: string;
  /** Whether the operator names the order, because the event names none. */
  readonly orderField?: 'required' | 'optional';
  /** The order that the field has at first. */
  readonly order?: string | undefined;
  /** An act without an audit row has no reason. */
  readonly hasReason: boolean;
  /** The button that acts, if it names more than the label. */
  confirmLabel?(order: string | undefined): string;
  /** The dry run. */
  plan(order: string | undefined): Promise<Plan>;
  /** Acts, if it would still do what the operator has seen. */
  confirm(order: string | undefined, confirmed: Confirmed): Promise<Confirmation>;
}

/** What it would do; without `orders`, it changes none itself. */
export type Plan = Pick<ActPlan, 'sentence' | 'is_needed' | 'effect' | 'context'> &
  Partial<Pick<ActPlan, 'is_possible' | 'by' | 'mode' | 'orders'>>;

export interface Confirmed {
  /** What the operator has seen. */
  readonly plan: Plan;
  readonly reason: string;
  /** The response to an earlier request was lost. */
  readonly isRepetition: boolean;
}

type Done = Extract<ActConfirmation, { readonly step: 'done' }>;
export type Outcome = Pick<Done['outcome'], 'sentence' | 'orders' | 'record'> &
  Partial<Pick<Done['outcome'], 'proposal'>>;
export type Confirmation =
  | { readonly step: 'done'; readonly outcome: Outcome }
  | { readonly step: 'changed'; readonly plan: Plan };

/** How the console's server plans and performs an act of the operations API. */
export function performedBy(
  requestOf: (order: string | undefined) => ConsoleAct,
): Pick<Act, 'hasReason' | 'plan' | 'confirm'> {
  return {
    hasReason: true,
    plan(order) {
      const request: PlanRequest = { act: requestOf(order) };
      return postApi<ActPlan>('/console/api/acts/plan', request);
    },
    async confirm(order, { plan, reason, isRepetition }) {
      const request: ConfirmRequest = {
        ...{ act: requestOf(order), reason, is_repetition: isRepetition },
        shown: { effect: plan.effect, by: plan.by ?? '' },
      };
      const confirmation = await postApi<ActConfirmation>('/console/api/acts/confirm', request);
      if (confirmation.step === 'changed' || !isRepetition) return confirmation;
      const { outcome } = confirmation;
      // What the first request did is what the operator has seen.
      const orders = outcome.orders.length === 0 ? (plan.orders ?? []) : outcome.orders;
      return { step: 'done', outcome: { ...outcome, orders } };
    },
  };
}
