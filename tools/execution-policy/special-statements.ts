import { allow, type Deployment, ofType, partitionOf, type Resource, type Statement } from './deployment.ts';
import { arnsOf } from './resources.ts';

/** Roles are passed only to the service that their trust policy names. */
export function passRoleStatements(deployment: Deployment): Statement[] {
  const byService = Map.groupBy(ofType(deployment, 'AWS::IAM::Role'), ([, role]) => serviceOf(role));
  return [...byService].map(([service, roles]) => {
    const template = { Resources: Object.fromEntries(roles) };
    const arns = arnsOf('AWS::IAM::Role', { ...deployment, template });
    return allow(['iam:PassRole'], arns, { StringEquals: { 'iam:PassedToService': service } });
  });
}

function serviceOf({ Properties }: Resource): string {
  const [service] =
    /[\w-]+\.amazonaws\.com/.exec(JSON.stringify(Properties?.['AssumeRolePolicyDocument'])) ?? [];
  if (service === undefined) throw new Error('A role of the template is not for a service of AWS.');
  return service;
}

type Actions = Readonly<Record<string, readonly string[]>>;
/** The registry does not list them for secrets, whose key is used with the caller's permissions. */
const useOfAnyService = ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey'];
const namesKey = /"(Kms\w*|KMS\w*|EncryptionKeyArn)":/;

/**
 * AWS makes the ids of keys, so the policy knows the stack's own keys by their tags; a key of a setting is
 * known by its ARN. Only a key without these tags can get them.
 */
export function kmsStatements(deployment: Deployment, actions: Actions): Statement[] {
  const resources = Object.values(deployment.template.Resources);
  const users = resources.filter(
    ({ Type, Properties }) => Type !== 'AWS::KMS::Key' && namesKey.test(JSON.stringify(Properties)),
  );
  const listed = users.flatMap(({ Type }) =>
    (actions[Type] ?? []).filter((action) => action.startsWith('kms:')),
  );
  const use = users.length > 0 ? [...new Set([...listed, ...useOfAnyService])].toSorted() : [];
  const given = [...new Set(JSON.stringify(users).match(/arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+/g))];
  const ofGiven = use.length > 0 && given.length > 0 ? [allow(use, given)] : [];
  const [own] = ofType(deployment, 'AWS::KMS::Key');
  if (own === undefined) return ofGiven;
  const tags = tagConditions(own[1]);
  const ofTypes = [...(actions['AWS::KMS::Key'] ?? []), ...(actions['AWS::KMS::Alias'] ?? [])];
  const manage = ofTypes.filter((one) => !['kms:CreateKey', 'kms:ListAliases'].includes(one));
  const keys = arnsOf('AWS::KMS::Key', deployment);
  return [
    ...ofGiven,
    allow(['kms:CreateKey'], ['*'], tags.given),
    allow(['kms:TagResource'], keys, tags.first),
    allow([...new Set([...manage, ...use])].toSorted(), keys, tags.present),
  ];
}

/**
 * CloudFormation names a secret after its logical id alone, which is the same in every environment, so the
 * policy also knows the stack's own secrets by their tags; an adopted one is known by its ARN.
 */
export function secretStatements(action: string, type: string, deployment: Deployment): Statement[] {
  const arns = arnsOf(type, deployment);
  const adopted = allow(
    [action],
    arns.filter((arn) => !arn.endsWith('*')),
  );
  const own = arns.filter((arn) => arn.endsWith('*'));
  const [secret] = ofType(deployment, 'AWS::SecretsManager::Secret');
  if (secret === undefined) return [adopted];
  const { given, first, present } = tagConditions(secret[1]);
  if (action === 'secretsmanager:CreateSecret') return [allow([action], own, given)];
  const more = action === 'secretsmanager:TagResource' ? [allow([action], own, first)] : [];
  return [adopted, allow([action], own, present), ...more];
}

/** CloudFormation reads what a dynamic reference names, and no other secret. */
export function referenceStatements(deployment: Deployment): Statement[] {
  const text = JSON.stringify(deployment.template.Resources);
  const ids = [...text.matchAll(/\{\{resolve:secretsmanager:",\{"Ref":"(\w+)"\}/g)].map(([, id]) => id);
  const secrets = ofType(deployment, 'AWS::SecretsManager::Secret').filter(([id]) => ids.includes(id));
  const [first] = secrets;
  if (first === undefined) return [];
  const template = { Resources: Object.fromEntries(secrets) };
  const arns = arnsOf('AWS::SecretsManager::Secret', { ...deployment, template });
  return [allow(['secretsmanager:GetSecretValue'], arns, tagConditions(first[1]).present)];
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
  const { account, region, template } = deployment;
  const partition = partitionOf(deployment);
  const names = Object.values(template.Parameters ?? {})
    .filter(({ Type }) => Type.startsWith('AWS::SSM::Parameter::Value'))
    .map(({ Default = '' }) => `arn:${partition}:ssm:${region}:${account}:parameter${Default}`);
  const service = 'ops.apigateway.amazonaws.com';
  const role = `arn:${partition}:iam::${account}:role/aws-service-role/${service}/*`;
  const forDomain = allow(['iam:CreateServiceLinkedRole'], [role], {
    StringEquals: { 'iam:AWSServiceName': service },
  });
  return [
    ...(names.length > 0 ? [allow(['ssm:GetParameters'], names)] : []),
    ...(ofType(deployment, 'AWS::ApiGatewayV2::DomainName').length > 0 ? [forDomain] : []),
  ];
}
