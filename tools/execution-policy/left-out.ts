/**
 * Actions in AWS's registry that the policy leaves out, with the reason. The registry lists what a resource
 * type can need with any property; the stack sets few of them.
 */
export const leftOut: readonly { readonly reason: string; readonly actions: readonly string[] }[] = [
  {
    reason: 'IAM knows no such action.',
    actions: [
      'apigateway:TagResource',
      'apigateway:UntagResource',
      'kms:ReEncrypt',
      'lambda:AssociateRuntimeAlias',
    ],
  },
  {
    reason:
      'Only a table with an import, a replica or Kinesis needs it, and some would read and write events.',
    actions: [
      'dynamodb:AssociateTableReplica',
      'dynamodb:BatchWriteItem',
      'dynamodb:CreateTableReplica',
      'dynamodb:DeleteItem',
      'dynamodb:DescribeImport',
      'dynamodb:DisableKinesisStreamingDestination',
      'dynamodb:EnableKinesisStreamingDestination',
      'dynamodb:GetItem',
      'dynamodb:ImportTable',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:Scan',
      'dynamodb:UpdateContributorInsights',
      'dynamodb:UpdateItem',
      'dynamodb:UpdateKinesisStreamingDestination',
    ],
  },
  {
    reason: 'It would read the keys. CloudFormation makes and describes a secret without its value.',
    actions: [
      'secretsmanager:GetSecretValue',
      'secretsmanager:RemoveRegionsFromReplication',
      'secretsmanager:ReplicateSecretToRegions',
    ],
  },
  {
    reason: 'The stack has no user, no group and no managed policy, and nothing may remove a boundary.',
    actions: [
      'iam:AttachRolePolicy',
      'iam:DeleteGroupPolicy',
      'iam:DeleteRolePermissionsBoundary',
      'iam:DeleteUserPolicy',
      'iam:DetachRolePolicy',
      'iam:GetGroupPolicy',
      'iam:GetUserPolicy',
      'iam:PutGroupPolicy',
      'iam:PutUserPolicy',
    ],
  },
  {
    reason: 'The functions have no layer, signature, capacity provider or management of their runtime.',
    actions: [
      'lambda:DeleteFunctionCodeSigningConfig',
      'lambda:GetCodeSigningConfig',
      'lambda:GetLayerVersion',
      'lambda:PassCapacityProvider',
      'lambda:PutFunctionCodeSigningConfig',
      'lambda:PutFunctionRecursionConfig',
      'lambda:PutFunctionScalingConfig',
      'lambda:PutRuntimeManagementConfig',
    ],
  },
  {
    reason: 'The log groups and topics have no data protection, index, delivery or token.',
    actions: [
      'logs:CreateLogDelivery',
      'logs:DeleteDataProtectionPolicy',
      'logs:DeleteIndexPolicy',
      'logs:DeleteResourcePolicy',
      'logs:PutBearerTokenAuthentication',
      'logs:PutDataProtectionPolicy',
      'logs:PutIndexPolicy',
      'logs:PutLogGroupDeletionProtection',
      'logs:PutResourcePolicy',
      'sns:PutDataProtectionPolicy',
    ],
  },
];

/** What a type needs of other services; the rest is for properties that the stack does not set. */
export const otherServices: Readonly<Record<string, readonly string[]>> = {
  'AWS::Lambda::Function': ['s3:GetObject'],
  'AWS::ApiGatewayV2::DomainName': ['s3:GetObject', 's3:GetObjectVersion'],
  'AWS::SecretsManager::RotationSchedule': ['lambda:InvokeFunction'],
};

/** What the registry does not list. */
export const added: Readonly<Record<string, readonly string[]>> = {
  // Amazon API Gateway Developer Guide, "Configure logging for HTTP APIs", permissions to activate logging.
  'AWS::ApiGatewayV2::Stage': [
    'logs:CreateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:DescribeLogGroups',
    'logs:DescribeResourcePolicies',
    'logs:GetLogDelivery',
    'logs:ListLogDeliveries',
    'logs:PutResourcePolicy',
    'logs:UpdateLogDelivery',
  ],
};
