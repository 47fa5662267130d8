/** Replaces `@aws-sdk/dynamodb-codec`, for the reason given in `protocols.js`. */
import { DynamoDBJsonCodec } from '../../../node_modules/@aws-sdk/dynamodb-codec/dist-es/index.js';

export { DynamoDBJsonCodec as DynamoDBJsonCodec2 };
