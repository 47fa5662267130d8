/** Replaces `@aws-sdk/client-secrets-manager`, as `dynamodb.js` does its client. */
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import * as schemas from '../../../node_modules/@aws-sdk/client-secrets-manager/dist-es/schemas/schemas_0.js';
import { clientOf, commandOf } from './service-client.js';

export * from '../../../node_modules/@aws-sdk/client-secrets-manager/dist-es/models/errors.js';

export const SecretsManagerClient = clientOf({
  ...{ id: 'Secrets Manager', prefix: 'secretsmanager' },
  protocol: AwsJson1_1Protocol,
  errorTypeRegistries: schemas.errorTypeRegistries,
  serviceTarget: 'secretsmanager',
});

export const DescribeSecretCommand = /* @__PURE__ */ commandOf(schemas.DescribeSecret$);
export const GetSecretValueCommand = /* @__PURE__ */ commandOf(schemas.GetSecretValue$);
export const PutSecretValueCommand = /* @__PURE__ */ commandOf(schemas.PutSecretValue$);
export const RotateSecretCommand = /* @__PURE__ */ commandOf(schemas.RotateSecret$);
export const UpdateSecretVersionStageCommand = /* @__PURE__ */ commandOf(schemas.UpdateSecretVersionStage$);
