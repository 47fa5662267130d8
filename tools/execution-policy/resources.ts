import { type Deployment, ofType, partitionOf, type Resource, resolve } from './template.ts';

/** CloudFormation shortens names of these types to 64 or 80 characters, and that of the stack in them. */
const shortened = [
  'AWS::Events::Rule',
  'AWS::IAM::Role',
  'AWS::Lambda::Function',
  'AWS::SQS::Queue',
  'AWS::Scheduler::Schedule',
];
const stackCharactersKept = 24;

/** The property that holds the whole name, for types that get none from CloudFormation. */
const nameProperties: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::CompositeAlarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::Events::Archive': 'ArchiveName',
  'AWS::Events::EventBus': 'Name',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::SSM::Parameter': 'Name',
};

/** What stands before the name in an ARN. */
const arnStarts: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::Alarm': 'cloudwatch:REGION:ACCOUNT:alarm:',
  'AWS::CloudWatch::CompositeAlarm': 'cloudwatch:REGION:ACCOUNT:alarm:',
  'AWS::CloudWatch::Dashboard': 'cloudwatch::ACCOUNT:dashboard/',
  'AWS::DynamoDB::Table': 'dynamodb:REGION:ACCOUNT:table/',
  'AWS::Events::Archive': 'events:REGION:ACCOUNT:archive/',
  'AWS::Events::EventBus': 'events:REGION:ACCOUNT:event-bus/',
  'AWS::IAM::Role': 'iam::ACCOUNT:role/',
  'AWS::KMS::Alias': 'kms:REGION:ACCOUNT:',
  'AWS::Lambda::Function': 'lambda:REGION:ACCOUNT:function:',
  'AWS::Logs::LogGroup': 'logs:REGION:ACCOUNT:log-group:',
  'AWS::SNS::Topic': 'sns:REGION:ACCOUNT:',
  'AWS::SQS::Queue': 'sqs:REGION:ACCOUNT:',
  'AWS::SSM::Parameter': 'ssm:REGION:ACCOUNT:parameter',
  'AWS::Scheduler::Schedule': 'scheduler:REGION:ACCOUNT:schedule/default/',
  'AWS::SecretsManager::Secret': 'secretsmanager:REGION:ACCOUNT:secret:',
};

/** Types that are parts of another type, and the property that names a resource of that other type. */
const owners: Readonly<Record<string, readonly [type: string, property: string]>> = {
  'AWS::Events::EventBusPolicy': ['AWS::Events::EventBus', 'EventBusName'],
  'AWS::IAM::Policy': ['AWS::IAM::Role', 'Roles'],
  'AWS::Lambda::Alias': ['AWS::Lambda::Function', 'FunctionName'],
  'AWS::Lambda::EventInvokeConfig': ['AWS::Lambda::Function', 'FunctionName'],
  'AWS::Lambda::Permission': ['AWS::Lambda::Function', 'FunctionName'],
  'AWS::Lambda::Version': ['AWS::Lambda::Function', 'FunctionName'],
  'AWS::Logs::MetricFilter': ['AWS::Logs::LogGroup', 'LogGroupName'],
  'AWS::SNS::Subscription': ['AWS::SNS::Topic', 'TopicArn'],
  'AWS::SNS::TopicPolicy': ['AWS::SNS::Topic', 'Topics'],
  'AWS::SQS::QueuePolicy': ['AWS::SQS::Queue', 'Queues'],
  'AWS::SecretsManager::ResourcePolicy': ['AWS::SecretsManager::Secret', 'SecretId'],
  'AWS::SecretsManager::RotationSchedule': ['AWS::SecretsManager::Secret', 'SecretId'],
};

/** The ARNs of the resources of a type, with patterns where CloudFormation makes the names. */
export function arnsOf(type: string, deployment: Deployment): readonly string[] {
  const [ownerType, property] = owners[type] ?? [];
  if (ownerType !== undefined) {
    return unique([...arnsOf(ownerType, deployment), ...existingOwners(type, String(property), deployment)]);
  }
  const start = arnStarts[type];
  const ends =
    start === undefined
      ? otherArns(type, deployment)
      : unique(ofType(deployment, type).map((found) => `${start}${nameOf(found, deployment)}`));
  return ends.map((end) => completed(end, deployment));
}

function completed(end: string, deployment: Deployment): string {
  const { region, account } = deployment;
  return `arn:${partitionOf(deployment)}:${end.replace('REGION', region).replace('ACCOUNT', account)}`;
}

const unique = (items: readonly string[]): string[] => [...new Set(items)].toSorted();

/** Owners that another stack made, such as adopted secrets. */
function existingOwners(type: string, property: string, deployment: Deployment): string[] {
  return ofType(deployment, type).flatMap(([, { Properties }]) => {
    const name = resolve(Properties?.[property], deployment);
    return name?.startsWith('arn:') ? [name] : [];
  });
}

/**
 * The name that the template sets, or a pattern for the one that CloudFormation makes of the stack, the
 * logical id and random characters. The pattern ends after the first letter of the logical id. That letter is
 * upper case and names of environments are lower case, so it matches no resource of `payhooks-production-eu`.
 */
function nameOf([id, { Type, Properties = {} }]: [string, Resource], deployment: Deployment): string {
  const { stackName } = deployment;
  // Without the name of the stack: `dbSecret8003E3A7-mIXuhO5ONwLb` (aws-cdk 11573).
  if (Type === 'AWS::SecretsManager::Secret') return `${id}-*`;
  const property = nameProperties[Type];
  const set = property === undefined ? undefined : resolve(Properties[property], deployment);
  if (set !== undefined && !new RegExp(`^${stackName}-[A-Z]`).test(set)) return set;
  if (shortened.includes(Type) && stackName.length > stackCharactersKept) {
    return `${stackName.slice(0, stackCharactersKept)}*`;
  }
  return `${stackName}-${(set?.slice(stackName.length + 1) ?? id).slice(0, 1)}*`;
}

/** Types without a name of the stack in their ARN. */
function otherArns(type: string, deployment: Deployment): string[] {
  if (type === 'AWS::KMS::Key') return ['kms:REGION:ACCOUNT:key/*'];
  if (type === 'AWS::Events::Rule')
    return unique(ofType(deployment, type).map((rule) => ruleArn(rule, deployment)));
  if (type === 'AWS::Lambda::EventSourceMapping') return ['lambda:REGION:ACCOUNT:event-source-mapping:*'];
  if (type === 'AWS::ApiGatewayV2::DomainName' || type === 'AWS::ApiGatewayV2::ApiMapping') {
    const names = ofType(deployment, 'AWS::ApiGatewayV2::DomainName').map(([, { Properties }]) =>
      String(resolve(Properties?.['DomainName'], deployment)),
    );
    const paths = names.flatMap((name) => [`/domainnames/${name}`, `/domainnames/${name}/*`]);
    return ['/domainnames', ...paths, '/tags/*'].map((path) => `apigateway:REGION::${path}`);
  }
  // AWS makes the ids of APIs.
  if (type.startsWith('AWS::ApiGatewayV2::')) {
    return ['/apis', '/apis/*', '/tags/*'].map((path) => `apigateway:REGION::${path}`);
  }
  throw new Error(
    `${type} has no ARN in tools/execution-policy/resources.ts; expected one, so that the policy permits ` +
      'only what belongs to the stack. Add the type there.',
  );
}

/** A rule is on the default bus or on that of the stack. */
function ruleArn(rule: [string, Resource], deployment: Deployment): string {
  const bus = rule[1].Properties?.['EventBusName'] === undefined ? '' : `${deployment.stackName}/`;
  return `events:REGION:ACCOUNT:rule/${bus}${nameOf(rule, deployment)}`;
}
