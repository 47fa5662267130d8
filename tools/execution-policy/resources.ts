import { type Deployment, ofType, partitionOf, type Resource, resolve } from './deployment.ts';

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
const nameProperty = /^(Alarm|Archive|BackupVault)?Name$/;

/**
 * What stands before the name in an ARN. A part, such as a policy of a queue, has the ARN of the first type
 * of its service.
 */
const arnStarts: Readonly<Record<string, string>> = {
  'AWS::Backup::BackupVault': 'backup:REGION:ACCOUNT:backup-vault:',
  'AWS::CloudWatch::Alarm': 'cloudwatch:REGION:ACCOUNT:alarm:',
  'AWS::CodeDeploy::Application': 'codedeploy:REGION:ACCOUNT:application:',
  'AWS::CodeDeploy::DeploymentGroup': 'codedeploy:REGION:ACCOUNT:deploymentgroup:',
  'AWS::DynamoDB::Table': 'dynamodb:REGION:ACCOUNT:table/',
  'AWS::Events::EventBus': 'events:REGION:ACCOUNT:event-bus/',
  'AWS::Events::Archive': 'events:REGION:ACCOUNT:archive/',
  'AWS::IAM::Role': 'iam::ACCOUNT:role/',
  'AWS::Lambda::Function': 'lambda:REGION:ACCOUNT:function:',
  'AWS::Logs::LogGroup': 'logs:REGION:ACCOUNT:log-group:',
  'AWS::SNS::Topic': 'sns:REGION:ACCOUNT:',
  'AWS::SQS::Queue': 'sqs:REGION:ACCOUNT:',
  'AWS::SSM::Parameter': 'ssm:REGION:ACCOUNT:parameter',
  'AWS::Scheduler::Schedule': 'scheduler:REGION:ACCOUNT:schedule/default/',
  'AWS::SecretsManager::Secret': 'secretsmanager:REGION:ACCOUNT:secret:',
};

/** The ARNs of the resources of a type, with patterns where CloudFormation makes the names. */
export function arnsOf(type: string, deployment: Deployment): readonly string[] {
  const { region, account } = deployment;
  const ends = otherArns(type, deployment) ?? namedArns(type, deployment);
  const arns = ends.map((end) => `arn:${partitionOf(deployment)}:${end}`);
  const own = arns.map((arn) => arn.replace('REGION', region).replace('ACCOUNT', account));
  return [...new Set([...own, ...existing(type, deployment)])].toSorted();
}

function namedArns(type: string, deployment: Deployment): string[] {
  const service = type.slice(0, type.lastIndexOf(':') + 1);
  const named = arnStarts[type] ? type : Object.keys(arnStarts).find((other) => other.startsWith(service));
  if (named === undefined)
    throw new Error(`${type} has no ARN in tools/execution-policy/resources.ts. Add it.`);
  return ofType(deployment, named).map((found) => `${arnStarts[named]}${nameOf(found, deployment)}`);
}

/** What another stack made, such as adopted secrets, and a part of this one belongs to. */
function existing(type: string, deployment: Deployment): string[] {
  if (arnStarts[type] !== undefined) return [];
  const properties = ofType(deployment, type).flatMap(([, { Properties = {} }]) => Object.values(Properties));
  const start = `arn:${partitionOf(deployment)}:${type.split('::')[1]?.toLowerCase()}:`;
  return properties
    .flatMap((value) => resolve(value, deployment) ?? [])
    .filter((text) => text.startsWith(start));
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
  const property = Object.keys(Properties).find((name) => nameProperty.test(name)) ?? '';
  const set = resolve(Properties[property], deployment);
  if (set !== undefined && !new RegExp(`^${stackName}-[A-Z]`).test(set)) return set;
  if (shortened.includes(Type) && stackName.length > stackCharactersKept) {
    return `${stackName.slice(0, stackCharactersKept)}*`;
  }
  return `${stackName}-${(set?.slice(stackName.length + 1) ?? id).slice(0, 1)}*`;
}

/** Types without a name of the stack in their ARN. */
function otherArns(type: string, deployment: Deployment): string[] | undefined {
  // AWS makes the ids of plans, and a selection is a part of one.
  if (/^AWS::Backup::Backup(Plan|Selection)$/.test(type)) return ['backup:REGION:ACCOUNT:backup-plan:*'];
  if (type === 'AWS::Events::Rule') return ofType(deployment, type).map((rule) => ruleArn(rule, deployment));
  if (type === 'AWS::Lambda::EventSourceMapping') return ['lambda:REGION:ACCOUNT:event-source-mapping:*'];
  if (type === 'AWS::ApiGatewayV2::DomainName' || type === 'AWS::ApiGatewayV2::ApiMapping') {
    const names = ofType(deployment, 'AWS::ApiGatewayV2::DomainName').map(([, { Properties }]) =>
      String(resolve(Properties?.['DomainName'], deployment)),
    );
    const paths = names.flatMap((name) => [`/domainnames/${name}`, `/domainnames/${name}/*`]);
    return ['/domainnames', ...paths, '/tags/*'].map((path) => `apigateway:REGION::${path}`);
  }
  // AWS makes the ids of APIs.
  if (type.startsWith('AWS::ApiGateway')) {
    const root = type.startsWith('AWS::ApiGatewayV2::') ? '/apis' : '/restapis';
    return [root, `${root}/*`, '/tags/*'].map((path) => `apigateway:REGION::${path}`);
  }
  return undefined;
}

/** A rule is on the default bus or on that of the stack. */
function ruleArn(rule: [string, Resource], deployment: Deployment): string {
  const bus = rule[1].Properties?.['EventBusName'] === undefined ? '' : `${deployment.stackName}/`;
  return `events:REGION:ACCOUNT:rule/${bus}${nameOf(rule, deployment)}`;
}
