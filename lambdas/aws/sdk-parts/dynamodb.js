/**
 * Replaces `@aws-sdk/client-dynamodb`: the commands of the stages, with the SDK's own schemas and errors, and
 * a client of `service-client.js`, which says why.
 */
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { DynamoDBJsonCodec } from '@aws-sdk/dynamodb-codec';
import * as schemas from '../../../node_modules/@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js';
import { clientOf, commandOf } from './service-client.js';

export * from '../../../node_modules/@aws-sdk/client-dynamodb/dist-es/models/errors.js';

export const DynamoDBClient = clientOf({
  ...{ id: 'DynamoDB', prefix: 'dynamodb', isFipsInGovernment: true, retryDelay: 25 },
  protocol: AwsJson1_0Protocol,
  errorTypeRegistries: schemas.errorTypeRegistries,
  serviceTarget: 'DynamoDB_20120810',
  settings: { jsonCodec: new DynamoDBJsonCodec() },
});

export const BatchGetItemCommand = /* @__PURE__ */ commandOf(schemas.BatchGetItem$);
export const GetItemCommand = /* @__PURE__ */ commandOf(schemas.GetItem$);
export const PutItemCommand = /* @__PURE__ */ commandOf(schemas.PutItem$);
export const QueryCommand = /* @__PURE__ */ commandOf(schemas.Query$);
export const ScanCommand = /* @__PURE__ */ commandOf(schemas.Scan$);
export const TransactWriteItemsCommand = /* @__PURE__ */ commandOf(schemas.TransactWriteItems$);
export const UpdateItemCommand = /* @__PURE__ */ commandOf(schemas.UpdateItem$);
