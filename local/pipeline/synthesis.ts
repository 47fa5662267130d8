import { join } from 'node:path';
import { synthesise } from '@payhooks/cdk-local';
import { localContext } from '../../lambdas/contract/deployment-metadata.ts';
import type { PaymentServiceOptions } from './payment-service.ts';

/** The environment that `npm start` deploys in this repository; `bin/app.ts` names the stack after it. */
const environmentName = 'local';
/** Its app takes settings from the context. */
const repository = join(import.meta.dirname, '..', '..');

interface Synthesis extends Pick<PaymentServiceOptions, 'authentication'> {
  /** The folder of a CDK app; by default this repository. */
  readonly project: string | undefined;
  readonly serviceBaseUrl: string;
  /** Settings of the stack, as `-c` takes them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The slow part of a start: the CDK app runs in a process of its own. */
export async function synthesiseStack(options: Synthesis) {
  const { project = repository, serviceBaseUrl, authentication, settings, signal } = options;
  const own = { environmentName, environments: { [environmentName]: {} }, keepData: false, ...settings };
  // Tables that a restore has made here; those of an app are not on this machine.
  const { eventsTableName, ordersTableStreamArn } = settings;
  return synthesise({
    project,
    context: {
      [localContext]: {
        ...{ paymentServiceBaseUrl: serviceBaseUrl, paymentServiceAuthentication: authentication },
        ...{ eventsTableName, ordersTableStreamArn },
      },
      ...(project === repository && own),
    },
    ...(signal && { signal }),
  });
}
