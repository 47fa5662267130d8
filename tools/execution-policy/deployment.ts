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

/** Where a stack is deployed. */
export interface Deployment {
  readonly stackName: string;
  readonly account: string;
  readonly region: string;
  readonly template: Template;
}

export const partitionOf = ({ region }: Deployment): string => {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
};

/** The resources of a type, with their logical ids. */
export function ofType({ template }: Deployment, ...types: readonly string[]): [string, Resource][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => types.includes(Type));
}

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
