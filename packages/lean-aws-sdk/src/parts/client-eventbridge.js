/** Replaces `@aws-sdk/client-eventbridge`: its commands and errors, with a client of `client.js`. */
import { AwsJson1_1Protocol as protocol } from '@aws-sdk/core/protocols';
import { errorTypeRegistries } from 'whole-sdk/@aws-sdk/client-eventbridge/dist-es/schemas/schemas_0.js';
import { clientOf } from './client.js';

export * from 'whole-sdk/@aws-sdk/client-eventbridge/dist-es/commands/index.js';
export * from 'whole-sdk/@aws-sdk/client-eventbridge/dist-es/models/errors.js';

export const EventBridgeClient = clientOf(LEAN_CLIENT_EVENTBRIDGE, { protocol, errorTypeRegistries });
