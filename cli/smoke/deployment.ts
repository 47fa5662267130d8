import type { ClientCertificate } from '../../lambdas/contract/client-certificate.ts';
import { type Stack, stackOptionOf } from '../../operator/stack/stack.ts';
import type { Session } from '../session.ts';
import type { Target } from '../target/target.ts';

/** The stack under test, and the names that this run uses in it. */
export interface Deployment {
  readonly session: Session;
  readonly target: Target;
  readonly stack: Stack;
  /** Part of every order id of this run, so that two runs never share an order. */
  readonly runId: string;
  /** For a webhook API with mutual TLS. */
  readonly clientCertificate: ClientCertificate | undefined;
}

export const isLocal = ({ stack }: Deployment): boolean => stack.localUrl !== undefined;

export const notInLocalMode = (what: string): string => `local mode has no ${what}`;

/** The option that names the stack, for suggested commands. */
export const stackOption = ({ stack }: Deployment): string => stackOptionOf(stack);

export const orderIdOf = ({ runId }: Deployment, purpose: string): string =>
  `payhooks-smoke-${runId}-${purpose}`;
