/** What no role may do, by the service of the resource, unless its policy in the template says so. */
const dangerous: Readonly<Record<string, readonly string[]>> = {
  dynamodb: ['dynamodb:DeleteTable', 'dynamodb:DeleteItem', 'dynamodb:Scan'],
  secretsmanager: ['secretsmanager:PutSecretValue', 'secretsmanager:DeleteSecret'],
  sqs: ['sqs:PurgeQueue', 'sqs:DeleteQueue', 'sqs:SetQueueAttributes'],
  lambda: ['lambda:UpdateFunctionCode', 'lambda:UpdateFunctionConfiguration'],
  events: ['events:DeleteEventBus'],
  iam: ['iam:PutRolePolicy', 'iam:AttachRolePolicy', 'iam:CreateRole', 'iam:PassRole', 'sts:AssumeRole'],
};

/** What is dangerous on a resource; parts of a table and log groups are not asked about. */
export function dangerousActions(arn: string): readonly string[] {
  const [, , service = '', , , part = ''] = arn.split(':');
  if (service === 'dynamodb' && /^table\/[^/]+\//.test(part)) return [];
  return dangerous[service] ?? [];
}
