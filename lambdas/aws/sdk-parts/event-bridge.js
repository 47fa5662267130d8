/** Replaces `@aws-sdk/client-eventbridge`, as `dynamodb.js` does its client. */
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import * as schemas from '../../../node_modules/@aws-sdk/client-eventbridge/dist-es/schemas/schemas_0.js';
import { clientOf, commandOf } from './service-client.js';

export const EventBridgeClient = clientOf({
  ...{ id: 'EventBridge', prefix: 'events', isFipsInGovernment: true },
  protocol: AwsJson1_1Protocol,
  errorTypeRegistries: schemas.errorTypeRegistries,
  serviceTarget: 'AWSEvents',
});

export const PutEventsCommand = /* @__PURE__ */ commandOf(schemas.PutEvents$);
