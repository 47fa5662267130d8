import { join } from 'node:path';
import { synthesise } from '@payhooks/cdk-local';
import type { PaymentServiceOptions } from './payment-service.ts';

/** Local mode deploys the environment of this name; `bin/app.ts` names the stack after it. */
export const environmentName = 'local';
export const stackName = `payhooks-${environmentName}`;
/** Nothing is billed here: every step shows in the live log. */
const unbilled = { logLevel: 'info' } as const;

interface Synthesis extends Pick<PaymentServiceOptions, 'authentication'> {
  readonly serviceBaseUrl: string;
  /** Settings of the stack, as `-c` takes them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const project = join(import.meta.dirname, '..', '..');

/** The slow part of a start: the CDK app runs in a process of its own. */
export async function synthesiseStack(options: Synthesis) {
  const { serviceBaseUrl, authentication, settings, signal } = options;
  return synthesise({
    project,
    app: 'bin/app.ts',
    context: {
      environmentName,
      environments: { [environmentName]: {} },
      keepData: false,
      paymentServiceBaseUrl: serviceBaseUrl,
      paymentServiceAuthentication: authentication,
      ...unbilled,
      ...settings,
    },
    ...(signal && { signal }),
  });
}
