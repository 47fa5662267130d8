/** Replaces `@aws-sdk/client-sqs`: its commands and errors, with a client of `client.js`. */
import { createHash } from 'node:crypto';
import { AwsJson1_0Protocol as protocol } from '@aws-sdk/core/protocols';
import { getQueueUrlPlugin, resolveQueueUrlConfig } from '@aws-sdk/middleware-sdk-sqs';
import { errorTypeRegistries } from 'whole-sdk/@aws-sdk/client-sqs/dist-es/schemas/schemas_0.js';
import { clientOf } from './client.js';

export * from 'whole-sdk/@aws-sdk/client-sqs/dist-es/commands/index.js';
export * from 'whole-sdk/@aws-sdk/client-sqs/dist-es/models/errors.js';

/** Without the SDK's MD5 in JavaScript. */
class Md5 {
  hash = createHash('md5');
  update = (data) => this.hash.update(data);
  digest = async () => this.hash.digest();
}

const Client = clientOf(LEAN_CLIENT_SQS, { protocol, errorTypeRegistries });

export class SQSClient extends Client {
  constructor(options) {
    super(resolveQueueUrlConfig({ md5: Md5, ...options }));
    this.middlewareStack.use(getQueueUrlPlugin(this.config));
  }
}
