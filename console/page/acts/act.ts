import type { ActConfirmation, ActPlan, ConfirmRequest, ConsoleAct, PlanRequest } from '../../contract.ts';
import { postApi } from '../data/api.ts';

/** An act as data: what its dialog asks for, and the request of it. */
export interface Act {
  /** What it does, such as `Apply refund of 20.00 EUR to order-1`: the title of button and dialog. */
  titleOf(order?: string): string;
  /** Whether the operator names the order, because the event names none. */
  readonly orderField?: 'required' | 'optional';
  /** The order that the field has at first. */
  readonly order?: string | undefined;
  requestOf(order: string | undefined): ConsoleAct;
}

export type Outcome = Extract<ActConfirmation, { readonly step: 'done' }>['outcome'];

/** The dry run. */
export const planOf = (act: ConsoleAct): Promise<ActPlan> =>
  postApi('/console/api/acts/plan', { act } satisfies PlanRequest);

/** Acts, if it would still do what the operator has seen. */
export async function confirm(
  shown: ActPlan,
  request: Omit<ConfirmRequest, 'shown'>,
): Promise<ActConfirmation> {
  const { effect, by } = shown;
  const body: ConfirmRequest = { ...request, shown: { effect, by } };
  const confirmation = await postApi<ActConfirmation>('/console/api/acts/confirm', body);
  if (confirmation.step === 'changed' || !request.is_repetition) return confirmation;
  const { outcome } = confirmation;
  // What the first request did is what the operator has seen.
  const orders = outcome.orders.length === 0 ? shown.orders : outcome.orders;
  return { step: 'done', outcome: { ...outcome, orders } };
}
