import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { type Deployment, orderIdOf } from '../deployment.ts';

/** What only AWS can answer, and what local mode, which cannot settle it, answers in its place. */
export interface Question {
  readonly id: string;
  readonly asks: string;
  /** The status that docs/assumptions.md expects. */
  readonly expected: number;
  /** The section of docs/assumptions.md that an answer belongs to. */
  readonly section: string;
}

/** How a signed body is delivered. */
export interface BodyQuestion extends Question {
  readonly kind: 'body';
  readonly body: Uint8Array;
  /** `undefined` when the body is no event, and nothing can be asked about it. */
  readonly eventId: string | undefined;
  readonly contentType: string | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly signatureHeader: 'once' | 'twice' | 'mixed case';
  readonly chunkBytes?: number;
  readonly waitsForContinue?: true;
}

/** Whether an order is found under its id in the path. */
export interface PathQuestion extends Question {
  readonly kind: 'path';
  readonly orderId: string;
  readonly segment: string;
  readonly body: Uint8Array;
  readonly eventId: string;
}

export type AnyQuestion = BodyQuestion | PathQuestion;

export const onlyAws = 'what-only-aws-can-answer';

/** A sandbox event, its id, and its text for whoever changes it. */
export function sandboxEvent(deployment: Deployment, purpose: string, orderId?: string) {
  const eventId = `payhooks-smoke-${deployment.runId}-${purpose}`;
  const event = paidEvent({
    orderId: orderId ?? orderIdOf(deployment, purpose),
    eventId,
    sandbox: true,
  });
  return { eventId, body: bytesOf(event) };
}
