import {
  allow,
  arnsOf,
  type Deployment,
  ofType,
  type Resource,
  resolve,
  type Statement,
} from './deployment.ts';

const secretType = 'AWS::SecretsManager::Secret';

/** Roles are passed only to the service that their trust policy names. */
export function passRoleStatements(deployment: Deployment): Statement[] {
  const byService = Map.groupBy(ofType(deployment, 'AWS::IAM::Role'), ([, role]) => serviceOf(role));
  return [...byService].map(([service, roles]) => {
    const arns = [...new Set(arnsOf('iam::ACCOUNT:role/NAME', roles, deployment))].toSorted();
    return allow(['iam:PassRole'], arns, { StringEquals: { 'iam:PassedToService': service } });
  });
}

function serviceOf({ Properties }: Resource): string {
  const [service] =
    /[\w-]+\.amazonaws\.com/.exec(JSON.stringify(Properties?.['AssumeRolePolicyDocument'])) ?? [];
  if (service === undefined) throw new Error('A role of the template is not for a service of AWS.');
  return service;
}

/** The permissions boundary of the stack's roles. */
export const boundaryOf = (deployment: Deployment): string | undefined =>
  ofType(deployment, 'AWS::IAM::Role').flatMap(
    ([, { Properties }]) => resolve(Properties?.['PermissionsBoundary'], deployment) ?? [],
  )[0];

/**
 * CloudFormation names a secret after its logical id alone, which is the same in every environment, so the
 * policy also knows the stack's own secrets by their tags; an adopted one is known by its ARN.
 */
export function secretStatements(
  action: string,
  arns: readonly string[],
  deployment: Deployment,
): Statement[] {
  const [own, others] = [true, false].map((isOwn) => arns.filter((arn) => arn.endsWith('*') === isOwn));
  const adopted = allow([action], others ?? []);
  const [secret] = ofType(deployment, secretType);
  if (secret === undefined || own === undefined) return [adopted];
  const { given, first, present } = tagConditions(secret[1]);
  if (action === 'secretsmanager:CreateSecret') return [allow([action], own, given)];
  const more = action === 'secretsmanager:TagResource' ? [allow([action], own, first)] : [];
  return [adopted, allow([action], own, present), ...more];
}

/** CloudFormation reads what a dynamic reference names, and no other secret. */
export function referenceStatements(deployment: Deployment): Statement[] {
  const text = JSON.stringify(deployment.template.Resources);
  const ids = [...text.matchAll(/\{\{resolve:secretsmanager:",\{"Ref":"(\w+)"\}/g)].map(([, id]) => id);
  const secrets = ofType(deployment, secretType).filter(([id]) => ids.includes(id));
  const [first] = secrets;
  if (first === undefined) return [];
  const arns = arnsOf('secretsmanager:REGION:ACCOUNT:secret:NAME', secrets, deployment);
  return [allow(['secretsmanager:GetSecretValue'], [...new Set(arns)], tagConditions(first[1]).present)];
}

/** Conditions with the tags that a resource has in the template. */
function tagConditions({ Properties }: Resource) {
  const tags = Properties?.['Tags'] as readonly { readonly Key: string; readonly Value: string }[];
  const tagged = (kind: string) =>
    Object.fromEntries(tags.map(({ Key, Value }) => [`aws:${kind}/${Key}`, Value]));
  const absent = Object.fromEntries(tags.map(({ Key }) => [`aws:ResourceTag/${Key}`, 'true']));
  return {
    /** The request gives it these tags. */
    given: { StringEquals: tagged('RequestTag') },
    /** The same, and it has none yet. */
    first: { StringEquals: tagged('RequestTag'), Null: absent },
    /** It has these tags. */
    present: { StringEquals: tagged('ResourceTag') },
  };
}

/** What every deployment by CDK needs, and what the first domain of an account needs. */
export function statementsForTheBootstrap(deployment: Deployment): Statement[] {
  const parameters = Object.values(deployment.template.Parameters ?? {})
    .filter(({ Type }) => Type.startsWith('AWS::SSM::Parameter::Value'))
    .flatMap(({ Default = '' }) => arnsOf(`ssm:REGION:ACCOUNT:parameter${Default}`, [], deployment));
  const service = 'ops.apigateway.amazonaws.com';
  const role = arnsOf(`iam::ACCOUNT:role/aws-service-role/${service}/*`, [], deployment);
  const forDomain = allow(['iam:CreateServiceLinkedRole'], role, {
    StringEquals: { 'iam:AWSServiceName': service },
  });
  return [
    ...(parameters.length > 0 ? [allow(['ssm:GetParameters'], parameters)] : []),
    ...(ofType(deployment, 'AWS::ApiGatewayV2::DomainName').length > 0 ? [forDomain] : []),
  ];
}
