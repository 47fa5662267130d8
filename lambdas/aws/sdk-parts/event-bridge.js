/** Replaces `@aws-sdk/client-eventbridge`: the command of the order feed, as in `dynamodb.js`. */
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import { clientOf, commandOf, errorRegistries } from './service-client.js';

const namespace = 'com.amazonaws.eventbridge';
const target = 'AWSEvents';

export const EventBridgeClient = clientOf({
  ...{ id: 'EventBridge', prefix: 'events', isFipsInGovernment: true },
  protocol: AwsJson1_1Protocol,
  settings: {
    defaultNamespace: namespace,
    errorTypeRegistries: errorRegistries(namespace),
    serviceTarget: target,
  },
});

const entry = [
  ...[3, namespace, 'PutEventsRequestEntry', 0],
  ['Time', 'Source', 'Resources', 'DetailType', 'Detail', 'EventBusName', 'TraceHeader'],
  [4, 0, 64, 0, 0, 0, 0],
];
// Not `EndpointId`: a global endpoint has its own address and signature.
const events = [
  ...[3, namespace, 'PutEventsRequest', 0],
  ['Entries'],
  [[1, namespace, 'Entries', 0, entry]],
  1,
];
const result = [
  ...[3, namespace, 'PutEventsResultEntry', 0],
  ['EventId', 'ErrorCode', 'ErrorMessage'],
  [0, 0, 0],
];
const results = [
  ...[3, namespace, 'PutEventsResponse', 0],
  ['FailedEntryCount', 'Entries'],
  [1, [1, namespace, 'Entries', 0, result]],
];
export const PutEventsCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'PutEvents', 0],
  () => events,
  () => results,
]);
