/** Replaces `@aws-sdk/client-secrets-manager`: the commands of the stages, as in `dynamodb.js`. */
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import { clientOf, commandOf, errorRegistries } from './service-client.js';

const namespace = 'com.amazonaws.secretsmanager';
const target = 'secretsmanager';

export const SecretsManagerClient = clientOf({
  ...{ id: 'Secrets Manager', prefix: 'secretsmanager' },
  protocol: AwsJson1_1Protocol,
  settings: {
    defaultNamespace: namespace,
    errorTypeRegistries: errorRegistries(namespace),
    serviceTarget: target,
  },
});

/** The SDK fills it in, so that a second attempt makes no second version. */
const token = [0, 4];

const wanted = [
  ...[3, namespace, 'GetSecretValueRequest', 0],
  ['SecretId', 'VersionId', 'VersionStage'],
  [0, 0, 0],
  1,
];
const secret = [
  ...[3, namespace, 'GetSecretValueResponse', 0],
  ['ARN', 'Name', 'VersionId', 'SecretBinary', 'SecretString', 'VersionStages', 'CreatedDate'],
  [0, 0, 0, 21, 0, 64, 4],
];
export const GetSecretValueCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'GetSecretValue', 0],
  () => wanted,
  () => secret,
]);

const version = [
  ...[3, namespace, 'PutSecretValueRequest', 0],
  ['SecretId', 'ClientRequestToken', 'SecretBinary', 'SecretString', 'VersionStages', 'RotationToken'],
  [0, token, 21, 0, 64, 0],
  1,
];
const put = [
  ...[3, namespace, 'PutSecretValueResponse', 0],
  ['ARN', 'Name', 'VersionId', 'VersionStages'],
  [0, 0, 0, 64],
];
export const PutSecretValueCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'PutSecretValue', 0],
  () => version,
  () => put,
]);

const named = [3, namespace, 'DescribeSecretRequest', 0, ['SecretId'], [0], 1];
const described = [
  ...[3, namespace, 'DescribeSecretResponse', 0],
  [
    ...[
      'ARN',
      'Name',
      'KmsKeyId',
      'RotationEnabled',
      'RotationLambdaARN',
      'LastRotatedDate',
      'LastChangedDate',
    ],
    ...['LastAccessedDate', 'DeletedDate', 'NextRotationDate', 'VersionIdsToStages', 'CreatedDate'],
  ],
  [0, 0, 0, 2, 0, 4, 4, 4, 4, 4, [2, namespace, 'Stages', 0, 0, 64], 4],
];
export const DescribeSecretCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'DescribeSecret', 0],
  () => named,
  () => described,
]);

const rotation = [
  ...[3, namespace, 'RotateSecretRequest', 0],
  ['SecretId', 'ClientRequestToken', 'RotationLambdaARN', 'RotateImmediately'],
  [0, token, 0, 2],
  1,
];
const rotated = [3, namespace, 'RotateSecretResponse', 0, ['ARN', 'Name', 'VersionId'], [0, 0, 0]];
export const RotateSecretCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'RotateSecret', 0],
  () => rotation,
  () => rotated,
]);

const stage = [
  ...[3, namespace, 'UpdateSecretVersionStageRequest', 0],
  ['SecretId', 'VersionStage', 'RemoveFromVersionId', 'MoveToVersionId'],
  [0, 0, 0, 0],
  2,
];
const staged = [3, namespace, 'UpdateSecretVersionStageResponse', 0, ['ARN', 'Name'], [0, 0]];
export const UpdateSecretVersionStageCommand = /* @__PURE__ */ commandOf(target, [
  ...[9, namespace, 'UpdateSecretVersionStage', 0],
  () => stage,
  () => staged,
]);
