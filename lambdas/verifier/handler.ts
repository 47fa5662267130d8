import { createEventQueue } from '../aws/queues.ts';
import { createSecretReader } from '../aws/secret-reader.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { createKeyRing, heartbeatKeys } from './key-ring.ts';
import { createAcceptedCount, createVerifier } from './verifier.ts';

const parts = { now: Date.now, telemetry: createTelemetry() };
const readSecret = createSecretReader(requiredVariable(variables.keySecretArn));
const keys = createKeyRing({ readSecret, ...parts });
const heartbeatArn = optionalVariable(variables.heartbeatKeySecretArn);
// Its client is made at the first heartbeat: no other request pays for it.
const heartbeatRing = (arn: string) =>
  createKeyRing({ readSecret: () => createSecretReader(arn)(), source: heartbeatKeys, ...parts });

export const { prepare } = keys;
export const handler = createVerifier({
  signatureHeader: requiredVariable(variables.signatureHeader),
  keys,
  heartbeatKeys: heartbeatArn === undefined ? undefined : heartbeatRing(heartbeatArn),
  countAccepted: optionalVariable(variables.countAccepted) ? createAcceptedCount(parts) : undefined,
  enqueue: createEventQueue(requiredVariable(variables.eventQueueUrl)),
  ...parts,
});
