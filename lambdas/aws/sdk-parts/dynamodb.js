/**
 * Replaces `@aws-sdk/client-dynamodb`: the commands of the stages, for the reasons in `service-client.js`.
 * The schemas are the SDK's, without parameters from before expressions and without counts of capacity. In
 * its numbers, 0 is a text, 1 a number, 2 a Boolean, 4 a time, 21 bytes; 64 more is a list, 128 more a map.
 */
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { DynamoDBJsonCodec } from '@aws-sdk/dynamodb-codec';
import { clientOf, commandOf, errorRegistries } from './service-client.js';

const namespace = 'com.amazonaws.dynamodb';
const target = 'DynamoDB_20120810';

const value = [
  ...[4, namespace, 'AttributeValue', 0],
  ['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL'],
  [0, 0, 21, 64, 64, 85, () => item, () => values, 2, 2],
];
const values = [1, namespace, 'Values', 0, value];
const item = [2, namespace, 'Item', 0, 0, value];
const items = [1, namespace, 'Items', 0, item];

const conditionFailure = [
  ...[-3, namespace, 'ConditionalCheckFailedException', { error: 'client' }],
  ['message', 'Item'],
  [0, item],
];
const conflict = [
  ...[-3, namespace, 'ReplicatedWriteConflictException', { error: 'client', retryable: {} }],
  ['message'],
  [0],
];

export const DynamoDBClient = clientOf({
  ...{ id: 'DynamoDB', prefix: 'dynamodb', isFipsInGovernment: true, retryDelay: 25 },
  protocol: AwsJson1_0Protocol,
  settings: {
    defaultNamespace: namespace,
    errorTypeRegistries: errorRegistries(namespace, [conditionFailure, conflict]),
    serviceTarget: target,
    jsonCodec: new DynamoDBJsonCodec(),
  },
});

const written = [3, namespace, 'Written', 0, ['Attributes'], [item]];

const putInput = [
  ...[3, namespace, 'PutItemInput', 0],
  [
    ...['TableName', 'Item', 'ReturnValues', 'ConditionExpression', 'ExpressionAttributeNames'],
    ...['ExpressionAttributeValues', 'ReturnValuesOnConditionCheckFailure'],
  ],
  [0, item, 0, 0, 128, item, 0],
  2,
];
export const PutItemCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'PutItem', 0],
  () => putInput,
  () => written,
]);

const updateInput = [
  ...[3, namespace, 'UpdateItemInput', 0],
  [
    ...['TableName', 'Key', 'ReturnValues', 'UpdateExpression', 'ConditionExpression'],
    ...['ExpressionAttributeNames', 'ExpressionAttributeValues', 'ReturnValuesOnConditionCheckFailure'],
  ],
  [0, item, 0, 0, 0, 128, item, 0],
  2,
];
export const UpdateItemCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'UpdateItem', 0],
  () => updateInput,
  () => written,
]);

const getInput = [
  ...[3, namespace, 'GetItemInput', 0],
  ['TableName', 'Key', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames'],
  [0, item, 2, 0, 128],
  2,
];
const got = [3, namespace, 'GetItemOutput', 0, ['Item'], [item]];
export const GetItemCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'GetItem', 0],
  () => getInput,
  () => got,
]);

const queryInput = [
  ...[3, namespace, 'QueryInput', 0],
  [
    ...[
      'TableName',
      'IndexName',
      'Select',
      'Limit',
      'ConsistentRead',
      'ScanIndexForward',
      'ExclusiveStartKey',
    ],
    ...['ProjectionExpression', 'FilterExpression', 'KeyConditionExpression', 'ExpressionAttributeNames'],
    'ExpressionAttributeValues',
  ],
  [0, 0, 0, 1, 2, 2, item, 0, 0, 0, 128, item],
  1,
];
const page = [
  ...[3, namespace, 'Page', 0],
  ['Items', 'Count', 'ScannedCount', 'LastEvaluatedKey'],
  [items, 1, 1, item],
];
export const QueryCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'Query', 0],
  () => queryInput,
  () => page,
]);

const scanInput = [
  ...[3, namespace, 'ScanInput', 0],
  [
    ...['TableName', 'IndexName', 'Limit', 'Select', 'ExclusiveStartKey', 'TotalSegments', 'Segment'],
    ...['ProjectionExpression', 'FilterExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues'],
    'ConsistentRead',
  ],
  [0, 0, 1, 0, item, 1, 1, 0, 0, 128, item, 2],
  1,
];
export const ScanCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'Scan', 0],
  () => scanInput,
  () => page,
]);

const keys = [
  ...[3, namespace, 'KeysAndAttributes', 0],
  ['Keys', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames'],
  [items, 2, 0, 128],
  1,
];
const keysByTable = [2, namespace, 'KeysByTable', 0, 0, keys];
const itemsByTable = [2, namespace, 'ItemsByTable', 0, 0, items];
const batchInput = [3, namespace, 'BatchGetItemInput', 0, ['RequestItems'], [keysByTable], 1];
const batch = [
  ...[3, namespace, 'BatchGetItemOutput', 0],
  ['Responses', 'UnprocessedKeys'],
  [itemsByTable, keysByTable],
];
export const BatchGetItemCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'BatchGetItem', 0],
  () => batchInput,
  () => batch,
]);
