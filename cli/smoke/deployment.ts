import type { ClientCertificate } from '../client-certificate.ts';
import type { Session } from '../session.ts';
import { deployCommandOf, type Stack } from '../target/stack.ts';
import type { Target } from '../target/target.ts';

/** What is being proven, and under which names. */
export interface Deployment {
  readonly session: Session;
  readonly target: Target;
  readonly stack: Stack;
  /** In every order id of this run, so that two runs never meet. */
  readonly runId: string;
  /** For a webhook API behind mutual TLS. */
  readonly clientCertificate: ClientCertificate | undefined;
}

export const isLocal = ({ stack }: Deployment): boolean => stack.localUrl !== undefined;

/** The option that names the stack, for commands that are advised. */
export const stackOption = ({ stack }: Deployment): string =>
  stack.localUrl === undefined ? `--stack ${stack.name}` : `--local ${stack.localUrl}`;

/** Order ids of this run. */
export const orderIdOf = ({ runId }: Deployment, purpose: string): string =>
  `payhooks-smoke-${runId}-${purpose}`;

export const notInLocalMode = (what: string): string => `local mode has no ${what}`;

/** What was changed by hand is no difference to CloudFormation until it is told to look. */
export const revertDriftOf = ({ stack }: Deployment): string =>
  `${deployCommandOf(stack)} --revert-drift puts back what was changed by hand`;
