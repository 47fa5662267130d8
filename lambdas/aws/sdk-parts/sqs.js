/** Replaces `@aws-sdk/client-sqs`: the commands of the stages, as in `dynamodb.js`. */
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { getQueueUrlPlugin, getSendMessagePlugin, resolveQueueUrlConfig } from '@aws-sdk/middleware-sdk-sqs';
import { Md5 } from './checksum.js';
import { clientOf, commandOf, errorRegistries } from './service-client.js';

const namespace = 'com.amazonaws.sqs';
const target = 'AmazonSQS';

/** SQS also names an error as in its first protocol; where that differs, the SDK has a name of its own. */
const legacyNames = {
  ...{ QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue', KmsDisabled: 'KMS.DisabledException' },
  ...{ KmsAccessDenied: 'KMS.AccessDeniedException', KmsInvalidKeyUsage: 'KMS.InvalidKeyUsageException' },
  ...{ KmsInvalidState: 'KMS.InvalidStateException', KmsNotFound: 'KMS.NotFoundException' },
  ...{ KmsOptInRequired: 'KMS.OptInRequired', KmsThrottled: 'KMS.ThrottlingException' },
  QueueNameExists: 'QueueAlreadyExists',
};
for (const name of [
  ...['BatchEntryIdsNotDistinct', 'BatchRequestTooLong', 'EmptyBatchRequest', 'InvalidBatchEntryId'],
  ...['MessageNotInflight', 'TooManyEntriesInBatchRequest', 'UnsupportedOperation'],
  ...['PurgeQueueInProgress', 'QueueDeletedRecently'],
])
  legacyNames[name] = `AWS.SimpleQueueService.${name}`;

const errors = Object.entries(legacyNames).map(([name, legacyName]) => [
  ...[-3, namespace, name, { error: 'client', awsQueryError: [legacyName] }],
  ['message'],
  [0],
]);

const Client = clientOf({
  ...{ id: 'SQS', prefix: 'sqs', isFipsInGovernment: true },
  protocol: AwsJson1_0Protocol,
  settings: {
    defaultNamespace: namespace,
    errorTypeRegistries: errorRegistries(namespace, errors),
    serviceTarget: target,
    awsQueryCompatible: true,
  },
});

export class SQSClient extends Client {
  constructor(options) {
    super(resolveQueueUrlConfig({ md5: Md5, ...options }));
    this.middlewareStack.use(getQueueUrlPlugin(this.config));
  }
}

const attribute = [
  ...[3, namespace, 'MessageAttributeValue', 0],
  ['DataType', 'StringValue', 'BinaryValue', 'StringListValues', 'BinaryListValues'],
  [0, 0, 21, 64, 85],
  1,
];
const attributes = [2, namespace, 'MessageAttributes', 0, 0, attribute];
const message = [
  ...[3, namespace, 'SendMessageRequest', 0],
  [
    ...['QueueUrl', 'MessageBody', 'DelaySeconds', 'MessageAttributes', 'MessageSystemAttributes'],
    ...['MessageDeduplicationId', 'MessageGroupId'],
  ],
  [0, 0, 1, attributes, attributes, 0, 0],
  2,
];
const sent = [
  ...[3, namespace, 'SendMessageResult', 0],
  [
    ...['MD5OfMessageBody', 'MD5OfMessageAttributes', 'MD5OfMessageSystemAttributes'],
    ...['MessageId', 'SequenceNumber'],
  ],
  [0, 0, 0, 0, 0],
];
export const SendMessageCommand = /* @__PURE__ */ commandOf(
  target,
  [...[9, namespace, 'SendMessage', 0], () => message, () => sent],
  (config) => [getSendMessagePlugin(config)],
);

const visibility = [
  ...[3, namespace, 'ChangeMessageVisibilityBatchRequestEntry', 0],
  ['Id', 'ReceiptHandle', 'VisibilityTimeout'],
  [0, 0, 1],
  2,
];
const visibilities = [
  ...[3, namespace, 'ChangeMessageVisibilityBatchRequest', 0],
  ['QueueUrl', 'Entries'],
  [0, [1, namespace, 'Entries', 0, visibility]],
  2,
];
const changed = [3, namespace, 'ChangeMessageVisibilityBatchResultEntry', 0, ['Id'], [0], 1];
const failed = [
  ...[3, namespace, 'BatchResultErrorEntry', 0],
  ['Id', 'SenderFault', 'Code', 'Message'],
  [0, 2, 0, 0],
  3,
];
const changes = [
  ...[3, namespace, 'ChangeMessageVisibilityBatchResult', 0],
  ['Successful', 'Failed'],
  [
    [1, namespace, 'Successful', 0, changed],
    [1, namespace, 'Failed', 0, failed],
  ],
  2,
];
export const ChangeMessageVisibilityBatchCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'ChangeMessageVisibilityBatch', 0],
  () => visibilities,
  () => changes,
]);

const asked = [...[3, namespace, 'GetQueueAttributesRequest', 0], ['QueueUrl', 'AttributeNames'], [0, 64], 1];
const answered = [3, namespace, 'GetQueueAttributesResult', 0, ['Attributes'], [128]];
export const GetQueueAttributesCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'GetQueueAttributes', 0],
  () => asked,
  () => answered,
]);
