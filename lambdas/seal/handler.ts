import { randomBytes } from 'node:crypto';
import { createSecretVersions } from '../aws/secret-versions.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { requiredVariable, variables } from '../contract/environment.ts';
import { createSealRotation } from './seal-rotation.ts';

const secretArn = requiredVariable(variables.sealSecretArn);

export const handler = createSealRotation({
  secretArn,
  versions: createSecretVersions(secretArn),
  newKey: () => randomBytes(32).toString('hex'),
  telemetry: createTelemetry(),
});
