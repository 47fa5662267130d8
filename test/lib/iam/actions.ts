/**
 * The actions that the tests evaluate: those that the stages use, those that would lose or leak payments, and those
 * that would widen a role.
 */
const byService = {
  dynamodb:
    'BatchExecuteStatement BatchGetItem BatchWriteItem ConditionCheckItem CreateBackup CreateTable DeleteItem ' +
    'DeleteResourcePolicy DeleteTable DescribeContinuousBackups DescribeStream DescribeTable ' +
    'ExportTableToPointInTime GetItem GetRecords GetShardIterator ListStreams PartiQLDelete PartiQLInsert ' +
    'PartiQLSelect PartiQLUpdate PutItem PutResourcePolicy Query RestoreTableToPointInTime Scan ' +
    'StartAwsBackupJob TagResource UpdateContinuousBackups UpdateItem UpdateTable UpdateTimeToLive',
  sqs:
    'AddPermission CancelMessageMoveTask ChangeMessageVisibility CreateQueue DeleteMessage DeleteQueue ' +
    'GetQueueAttributes GetQueueUrl ListMessageMoveTasks PurgeQueue ReceiveMessage RemovePermission SendMessage ' +
    'SetQueueAttributes StartMessageMoveTask TagQueue',
  secretsmanager:
    'BatchGetSecretValue CancelRotateSecret CreateSecret DeleteResourcePolicy DeleteSecret DescribeSecret ' +
    'GetRandomPassword GetResourcePolicy GetSecretValue ListSecretVersionIds PutResourcePolicy PutSecretValue ' +
    'ReplicateSecretToRegions RestoreSecret RotateSecret TagResource UpdateSecret UpdateSecretVersionStage',
  events:
    'DeleteArchive DeleteEventBus DeleteRule DisableRule PutEvents PutPermission PutRule PutTargets RemoveTargets ' +
    'StartReplay UpdateArchive UpdateEventBus',
  scheduler: 'CreateSchedule DeleteSchedule GetSchedule UpdateSchedule',
  lambda:
    'AddPermission CreateEventSourceMapping CreateFunctionUrlConfig DeleteEventSourceMapping DeleteFunction ' +
    'GetFunction InvokeFunction InvokeFunctionUrl PublishLayerVersion PutFunctionConcurrency RemovePermission ' +
    'UpdateEventSourceMapping UpdateFunctionCode UpdateFunctionConfiguration',
  logs:
    'AssociateKmsKey CreateLogGroup CreateLogStream DeleteLogGroup DeleteLogStream DeleteRetentionPolicy ' +
    'FilterLogEvents GetLogEvents PutDataProtectionPolicy PutLogEvents PutRetentionPolicy PutSubscriptionFilter ' +
    'StartQuery',
  sns: 'AddPermission DeleteTopic Publish SetTopicAttributes Subscribe Unsubscribe',
  kms:
    'CreateGrant Decrypt DescribeKey DisableKey EnableKey Encrypt GenerateDataKey GenerateDataKeyWithoutPlaintext ' +
    'PutKeyPolicy ReEncryptFrom ReEncryptTo ScheduleKeyDeletion Sign',
  iam:
    'AttachRolePolicy CreateAccessKey CreatePolicyVersion CreateRole DeleteRolePolicy GetRole PassRole PutRolePolicy ' +
    'UpdateAssumeRolePolicy UpdateRole',
  sts: 'AssumeRole AssumeRoleWithWebIdentity GetFederationToken TagSession',
  'execute-api': 'Invoke ManageConnections',
  cloudwatch: 'DeleteAlarms DisableAlarmActions PutMetricAlarm PutMetricData SetAlarmState',
  cloudformation: 'CreateChangeSet DeleteStack ExecuteChangeSet GetTemplate UpdateStack',
  s3: 'DeleteObject GetObject ListBucket PutObject',
  ssm: 'GetParameter PutParameter SendCommand',
  ec2: 'CreateNetworkInterface RunInstances',
  xray: 'PutTraceSegments',
};

export const actions: readonly string[] = Object.entries(byService).flatMap(([service, names]) =>
  names.split(' ').map((name) => `${service}:${name}`),
);
