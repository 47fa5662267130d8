/** Replaces `@aws-sdk/client-sqs`, as `dynamodb.js` does its client. */
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { getQueueUrlPlugin, getSendMessagePlugin, resolveQueueUrlConfig } from '@aws-sdk/middleware-sdk-sqs';
import * as schemas from '../../../node_modules/@aws-sdk/client-sqs/dist-es/schemas/schemas_0.js';
import { Md5 } from './checksum.js';
import { clientOf, commandOf } from './service-client.js';

const Client = clientOf({
  ...{ id: 'SQS', prefix: 'sqs', isFipsInGovernment: true },
  protocol: AwsJson1_0Protocol,
  errorTypeRegistries: schemas.errorTypeRegistries,
  serviceTarget: 'AmazonSQS',
  settings: { awsQueryCompatible: true },
});

export class SQSClient extends Client {
  constructor(options) {
    super(resolveQueueUrlConfig({ md5: Md5, ...options }));
    this.middlewareStack.use(getQueueUrlPlugin(this.config));
  }
}

export const ChangeMessageVisibilityBatchCommand = /* @__PURE__ */ commandOf(
  schemas.ChangeMessageVisibilityBatch$,
);
export const GetQueueAttributesCommand = /* @__PURE__ */ commandOf(schemas.GetQueueAttributes$);
export const SendMessageCommand = /* @__PURE__ */ commandOf(schemas.SendMessage$, (config) => [
  getSendMessagePlugin(config),
]);
