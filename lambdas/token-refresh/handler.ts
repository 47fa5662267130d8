import { setTimeout as pause } from 'node:timers/promises';
import { createSecretVersions } from '../aws/secret-versions.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { requiredVariable, variables } from '../contract/environment.ts';
import { createPaymentService } from './exchange.ts';
import { createTokenRefresh } from './token-refresh.ts';

const secretArn = requiredVariable(variables.tokenSecretArn);

export const handler = createTokenRefresh({
  secretArn,
  versions: createSecretVersions(secretArn),
  ...createPaymentService(requiredVariable(variables.paymentServiceBaseUrl)),
  pause,
  now: Date.now,
  telemetry: createTelemetry(),
});
