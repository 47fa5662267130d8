import type { BulkPerformer, createBulk } from '../../contract/texts.ts';
import type { ActConfirmation, ActPlan, ConfirmRequest, ConsoleAct, PlanRequest } from '../../contract.ts';
import { ApiError, postApi } from '../data/api.ts';

/** An act as data: what its dialog asks for, and the request of it, or many acts as one. */
export type Act = ActTexts &
  ({ requestOf(order: string | undefined): ConsoleAct } | { readonly bulk: ReturnType<typeof createBulk> });

interface ActTexts {
  /** What it does, such as `Apply refund of 20.00 EUR to order-1`: the title of button and dialog. */
  titleOf(order?: string): string;
  /** Whether the operator names the order, because the event names none. */
  readonly orderField?: 'required' | 'optional';
  /** The order that the field has at first. */
  readonly order?: string | undefined;
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

/** Each act of many, by requests that are repeated while their subject is busy. */
export const singleActs = (
  whileBusy: <Result>(request: () => Promise<Result>) => Promise<Result>,
  show: (waits: string) => void,
): BulkPerformer => ({
  plan: (request) => whileBusy(() => planOf(request)),
  confirm: (act, shown, reason) => whileBusy(() => confirm(shown, { act, reason, is_repetition: false })),
  refusalOf: (error) =>
    error instanceof ApiError && [400, 404, 409].includes(error.status) ? error.message : undefined,
  progress: (done, total) => show(`${done} of ${total} events.`),
});
