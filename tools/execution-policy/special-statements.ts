import { arnsOf } from './resources.ts';
import type { Statement } from './statement.ts';
import { type Deployment, ofType, partitionOf, type Resource } from './template.ts';

/** Roles are passed only to the service that their trust policy names. */
export function passRoleStatements(deployment: Deployment): Statement[] {
  const byService = Map.groupBy(ofType(deployment, 'AWS::IAM::Role'), ([, role]) => serviceOf(role));
  return [...byService].map(([service, roles]) => {
    const template = { Resources: Object.fromEntries(roles) };
    return {
      Effect: 'Allow',
      Action: ['iam:PassRole'],
      Resource: arnsOf('AWS::IAM::Role', { ...deployment, template }),
      Condition: { StringEquals: { 'iam:PassedToService': service } },
    };
  });
}

function serviceOf({ Properties }: Resource): string {
  const [service] =
    /[\w-]+\.amazonaws\.com/.exec(JSON.stringify(Properties?.['AssumeRolePolicyDocument'])) ?? [];
  if (service === undefined) throw new Error('A role of the template is not for a service of AWS.');
  return service;
}

/** The registry does not list them for secrets, whose key is used with the caller's permissions. */
const useOfAnyService = ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey'];
const namesKey = /"(Kms\w*|KMS\w*|EncryptionKeyArn)":/;

/**
 * AWS makes the ids of keys, so the policy knows the stack's own keys by their tags; a key of a setting is
 * known by its ARN. Only a key without these tags can get them.
 */
export function kmsStatements(
  deployment: Deployment,
  registry: Readonly<Record<string, readonly string[]>>,
): Statement[] {
  const resources = Object.values(deployment.template.Resources);
  const users = resources.filter(
    ({ Type, Properties }) => Type !== 'AWS::KMS::Key' && namesKey.test(JSON.stringify(Properties)),
  );
  const registered = users.flatMap(({ Type }) => registry[Type] ?? []);
  const listed = registered.filter((action) => /^kms:(?!ReEncrypt$|List)/.test(action));
  const use = new Set(users.length > 0 ? [...listed, ...useOfAnyService] : []);
  const given = new Set(JSON.stringify(users).match(/arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+/g));
  const statements: Statement[] = [];
  if (use.size > 0 && given.size > 0) {
    statements.push({ Effect: 'Allow', Action: [...use].toSorted(), Resource: [...given] });
  }
  const [own] = ofType(deployment, 'AWS::KMS::Key');
  if (own === undefined) return statements;
  const tags = tagConditions(own[1]);
  const ofTypes = [...(registry['AWS::KMS::Key'] ?? []), ...(registry['AWS::KMS::Alias'] ?? [])];
  const manage = ofTypes.filter((one) => !['kms:CreateKey', 'kms:ListAliases'].includes(one));
  const Resource = arnsOf('AWS::KMS::Key', deployment);
  return [
    ...statements,
    {
      Effect: 'Allow',
      Action: ['kms:CreateKey'],
      Resource: ['*'],
      Condition: tags.given,
    },
    {
      Effect: 'Allow',
      Action: ['kms:TagResource'],
      Resource,
      Condition: tags.first,
    },
    {
      Effect: 'Allow',
      Action: [...new Set([...manage, ...use])].toSorted(),
      Resource,
      Condition: tags.present,
    },
  ];
}

/**
 * CloudFormation names a secret after its logical id alone, which is the same in every environment, so the
 * policy also knows the stack's own secrets by their tags; an adopted one is known by its ARN.
 */
export function secretStatements(action: string, type: string, deployment: Deployment): Statement[] {
  const arns = arnsOf(type, deployment);
  const allow = (Resource: readonly string[], Condition?: Statement['Condition']): Statement => ({
    Effect: 'Allow',
    Action: [action],
    Resource,
    ...(Condition !== undefined && { Condition }),
  });
  const adopted = allow(arns.filter((arn) => !arn.endsWith('*')));
  const own = arns.filter((arn) => arn.endsWith('*'));
  const [secret] = ofType(deployment, 'AWS::SecretsManager::Secret');
  if (secret === undefined) return [adopted];
  const { given, first, present } = tagConditions(secret[1]);
  if (action === 'secretsmanager:CreateSecret') return [allow(own, given)];
  const more = action === 'secretsmanager:TagResource' ? [allow(own, first)] : [];
  return [adopted, allow(own, present), ...more];
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
  const statements: Statement[] = [];
  if (names.length > 0) statements.push({ Effect: 'Allow', Action: ['ssm:GetParameters'], Resource: names });
  if (ofType(deployment, 'AWS::ApiGatewayV2::DomainName').length > 0) {
    statements.push({
      Effect: 'Allow',
      Action: ['iam:CreateServiceLinkedRole'],
      Resource: [role],
      Condition: { StringEquals: { 'iam:AWSServiceName': service } },
    });
  }
  return statements;
}
