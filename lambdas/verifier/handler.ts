import { createEventQueue } from '../aws/event-queue.ts';
import { createSecretReader } from '../aws/secret-reader.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { requiredVariable, variables } from '../contract/environment.ts';
import { createKeyRing } from './key-ring.ts';
import { createVerifier } from './verifier.ts';

const telemetry = createTelemetry();

export const handler = createVerifier({
  signatureHeader: requiredVariable(variables.signatureHeader),
  keys: createKeyRing({
    readSecret: createSecretReader(requiredVariable(variables.keySecretArn)),
    now: Date.now,
    telemetry,
  }),
  enqueue: createEventQueue(requiredVariable(variables.eventQueueUrl)),
  now: Date.now,
  telemetry,
});
