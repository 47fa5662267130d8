/** Replaces `@aws-sdk/client-secrets-manager`: its commands and errors, with a client of `client.js`. */
import { AwsJson1_1Protocol as protocol } from '@aws-sdk/core/protocols';
import { errorTypeRegistries } from 'whole-sdk/@aws-sdk/client-secrets-manager/dist-es/schemas/schemas_0.js';
import { clientOf } from './client.js';

export * from 'whole-sdk/@aws-sdk/client-secrets-manager/dist-es/commands/index.js';
export * from 'whole-sdk/@aws-sdk/client-secrets-manager/dist-es/models/errors.js';

export const SecretsManagerClient = clientOf(LEAN_CLIENT_SECRETS_MANAGER, { protocol, errorTypeRegistries });
