import { createEventQueue } from '../aws/queues.ts';
import { createSecretReader, createSecretsClient } from '../aws/secret-reader.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { createKeyRing, heartbeatKeys, type KeySource, privateKeys, sealKeys } from './key-ring.ts';
import { createAcceptedCount, createVerifier } from './verifier.ts';

const parts = { now: Date.now, telemetry: createTelemetry() };
const client = createSecretsClient();
const ringOf = <Key extends { readonly id: string }>(source: KeySource<Key>, secretArn: string) =>
  createKeyRing({ readSecret: createSecretReader(secretArn, client), source, ...parts });
const keys = ringOf(privateKeys, requiredVariable(variables.keySecretArn));
const seals = ringOf(sealKeys, requiredVariable(variables.sealSecretArn));
const heartbeatArn = optionalVariable(variables.heartbeatKeySecretArn);

export const prepare = () => Promise.all([keys.prepare(), seals.prepare()]);
export const handler = createVerifier({
  signatureHeader: requiredVariable(variables.signatureHeader),
  keys,
  sealKeys: seals,
  heartbeatKeys: heartbeatArn === undefined ? undefined : ringOf(heartbeatKeys, heartbeatArn),
  countAccepted: optionalVariable(variables.countAccepted) ? createAcceptedCount(parts) : undefined,
  enqueue: createEventQueue(requiredVariable(variables.eventQueueUrl)),
  ...parts,
});
