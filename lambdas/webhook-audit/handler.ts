import { setTimeout as pause } from 'node:timers/promises';
import { createDeliveryStores } from '../aws/delivery-stores.ts';
import { createSecretReader } from '../aws/secret-reader.ts';
import { createSecretRotation } from '../aws/secret-versions.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { keyCredential, tokenCredential } from './credential.ts';
import { createWebhookAudit } from './webhook-audit.ts';

const keysOf = (arn: string) => keyCredential({ readSecret: createSecretReader(arn), now: Date.now });
const tokenOf = (arn: string) => tokenCredential({ ...createSecretRotation(arn), pause });
const stores = createDeliveryStores({
  eventsTableName: requiredVariable(variables.eventsTableName),
  ordersTableName: requiredVariable(variables.ordersTableName),
});
const requiredEvents = requiredVariable(variables.requiredEvents).split(',');
const tokenSecretArn = optionalVariable(variables.tokenSecretArn);

export const handler = createWebhookAudit({
  service: { baseUrl: requiredVariable(variables.paymentServiceBaseUrl) },
  credential:
    tokenSecretArn === undefined ? keysOf(requiredVariable(variables.keySecretArn)) : tokenOf(tokenSecretArn),
  expected: { url: requiredVariable(variables.webhookUrl), requiredEvents },
  stackName: requiredVariable(variables.stackName),
  reconciliation: { ...stores, now: Date.now },
  telemetry: createTelemetry(),
});
