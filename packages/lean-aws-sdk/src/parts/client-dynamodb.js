/** Replaces `@aws-sdk/client-dynamodb`: its commands and errors, with a client of `client.js`. */
import { AwsJson1_0Protocol as protocol } from '@aws-sdk/core/protocols';
import { DynamoDBJsonCodec } from '@aws-sdk/dynamodb-codec';
import { errorTypeRegistries } from 'whole-sdk/@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js';
import { clientOf } from './client.js';

export * from 'whole-sdk/@aws-sdk/client-dynamodb/dist-es/commands/index.js';
export * from 'whole-sdk/@aws-sdk/client-dynamodb/dist-es/models/errors.js';

export const DynamoDBClient = clientOf(LEAN_CLIENT_DYNAMODB, {
  ...{ protocol, errorTypeRegistries, jsonCodec: new DynamoDBJsonCodec(), maxAttempts: 4, retryDelay: 25 },
});
