/** Replaces `@aws-sdk/client-sqs`: its commands and errors, with a client of `client.js`. */
import { AwsJson1_0Protocol as protocol } from '@aws-sdk/core/protocols';
import { getQueueUrlPlugin, resolveQueueUrlConfig } from '@aws-sdk/middleware-sdk-sqs';
import { errorTypeRegistries } from 'whole-sdk/@aws-sdk/client-sqs/dist-es/schemas/schemas_0.js';
import { Md5 } from './checksum.js';
import { clientOf } from './client.js';

export * from 'whole-sdk/@aws-sdk/client-sqs/dist-es/commands/index.js';
export * from 'whole-sdk/@aws-sdk/client-sqs/dist-es/models/errors.js';

const Client = clientOf(LEAN_CLIENT_SQS, { protocol, errorTypeRegistries });

export class SQSClient extends Client {
  constructor(options) {
    super(resolveQueueUrlConfig({ md5: Md5, ...options }));
    this.middlewareStack.use(getQueueUrlPlugin(this.config));
  }
}
