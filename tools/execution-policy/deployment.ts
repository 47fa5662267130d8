/** The part of IAM's policy language that the policy uses. */
export interface Statement {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export const allow = (
  Action: readonly string[],
  Resource: readonly string[],
  Condition?: Statement['Condition'],
): Statement => ({ Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) });

/** The parts of a template that the policy is made from. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: Readonly<Record<string, { readonly Type: string; readonly Default?: string }>>;
}
export type Named = [logicalId: string, resource: Resource];

/** Where a stack is deployed. */
export interface Deployment {
  readonly stackName: string;
  readonly account: string;
  readonly region: string;
  readonly template: Template;
}

export const ofType = ({ template }: Deployment, type: string): Named[] =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type);

const partitionOf = ({ region }: Deployment): string => {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
};

/** Text with the account and the region of the deployment; undefined for anything that only AWS knows. */
export function resolve(value: unknown, deployment: Deployment): string | undefined {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::Join': join, 'Fn::Sub': sub } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': deployment.account,
    'AWS::Region': deployment.region,
    'AWS::Partition': partitionOf(deployment),
    'AWS::StackName': deployment.stackName,
  };
  if (typeof Ref === 'string') return pseudo[Ref];
  if (typeof sub === 'string') {
    const text = sub.replaceAll(/\$\{([\w:]+)\}/g, (whole, name: string) => pseudo[name] ?? whole);
    return text.includes('${') ? undefined : text;
  }
  if (!Array.isArray(join)) return undefined;
  const parts = (join[1] as unknown[]).map((part) => resolve(part, deployment));
  return parts.includes(undefined) ? undefined : parts.join(String(join[0]));
}

/** An ARN of `resources.json`, once for each of the resources if it has a NAME. */
export function arnsOf(pattern: string, resources: readonly Named[], deployment: Deployment): string[] {
  const { region, account, stackName } = deployment;
  const arn = `arn:${partitionOf(deployment)}:${pattern}`
    .replace('REGION', region)
    .replace('ACCOUNT', account)
    .replace('STACK', stackName);
  if (!arn.includes('NAME')) return [arn];
  return resources.map((resource) => arn.replace('NAME', nameOf(resource, deployment)));
}

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
const nameProperty = /^(Alarm|Archive|BackupVault|Domain)?Name$/;

/**
 * The name that the template sets, or a pattern for the one that CloudFormation makes of the stack, the
 * logical id and random characters. The pattern ends after the first letter of the logical id. That letter is
 * upper case and names of environments are lower case, so it matches no resource of `payhooks-production-eu`.
 */
function nameOf([id, { Type, Properties = {} }]: Named, deployment: Deployment): string {
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
