import type { ActConfirmation, ActPlan, ConfirmRequest, ConsoleAct, PlanRequest } from '../../contract.ts';
import { postApi } from '../data/api.ts';

/** An act as data: what its dialog asks for, and the request of it. */
export interface Act {
  /** Names the act and its subject, such as `Admit evt-1`. */
  readonly label: string;
  /** Whether the operator names the order, because the event names none. */
  readonly orderField?: 'required' | 'optional';
  /** The order that the field has at first. */
  readonly order?: string | undefined;
  /** The button that acts, if it names more than the label. */
  confirmLabel?(order: string | undefined): string;
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
