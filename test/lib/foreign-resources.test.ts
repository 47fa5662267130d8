import { App, Duration, NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type IVpc, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { beforeEach, expect, it, vi } from 'vitest';
import { Payhooks } from '../../lib/payhooks.ts';

beforeEach(() => {
  vi.stubEnv('CDK_VALIDATION', 'false');
});

const env = { account: '111122223333', region: 'eu-west-1' };
const foreignStack = (): Stack =>
  new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Shop', { env });
/** The resources of a type, as text. */
const textOf = (stack: Stack, type: string): string =>
  JSON.stringify(Template.fromStack(stack).findResources(type));

it('alarms publish to the topics of an app, also with a policy and a key of their own', () => {
  const stack = foreignStack();
  const alarmTopic = new Topic(stack, 'Pages', { enforceSSL: true, masterKey: new Key(stack, 'PagesKey') });
  new Payhooks(stack, 'Payments', { alarmTopic, ticketTopic: new Topic(stack, 'Tickets') });
  expect(textOf(stack, 'AWS::SNS::TopicPolicy').match(/"Service":"cloudwatch.amazonaws.com"/g)).toHaveLength(
    2,
  );
  expect(textOf(stack, 'AWS::KMS::Key')).toContain('"Service":"cloudwatch.amazonaws.com"');
});

it('the key of an app does not wait for the nested stack that waits for it', () => {
  const stack = foreignStack();
  const encryptionKey = new Key(stack, 'Key');
  new Payhooks(new NestedStack(stack, 'Nested'), 'Payments', { encryptionKey });
  expect(textOf(stack, 'AWS::CloudFormation::Stack')).toContain('"Fn::GetAtt":["Key');
  expect(textOf(stack, 'AWS::KMS::Key')).toContain(':log-group:Shop-*');
});

it.each([SubnetType.PRIVATE_WITH_EGRESS, SubnetType.PRIVATE_ISOLATED])(
  'a VPC that CDK has yet to look up is taken, with subnets of the type %s',
  (subnetType) => {
    const stack = foreignStack();
    const vpc = Vpc.fromLookup(stack, 'Vpc', { vpcId: 'vpc-1' }) as IVpc;
    new Payhooks(stack, 'Payments', { vpc, vpcSubnets: { subnetType } });
    const { missing = [] } = (stack.node.root as App).synth().manifest;
    expect(missing.map(({ provider }) => provider)).toEqual(['vpc-provider']);
  },
);

it('refuses props that no compiler has checked, and resources that its functions cannot decrypt', () => {
  const stack = foreignStack();
  const encryptionKey = new Key(stack, 'Key');
  const keySecret = new Secret(stack, 'Keys', { encryptionKey }) as ISecret;
  const arn = 'arn:aws:sns:eu-west-1:111122223333:alarms';
  const sealSecret = Secret.fromSecretNameV2(stack, 'Seals', 'seals');
  const misspelled = { keySecretArn: arn, expectWebhookWithin: Duration.days(2) };
  const props = { keySecret, sealSecret, alarmTopic: arn, ...misspelled };
  expect(() => new Payhooks(stack, 'Payments', props as object)).toThrow(
    [
      '  - sealSecret: expected what CDK has for it, with secretFullArn.',
      '  - alarmTopic: expected what CDK has for it, with topicArn.',
      '  - keySecretArn: not a setting; did you mean keySecret?',
      '  - expectWebhookWithin: not a setting; did you mean expectWebhooksWithin?',
      '  - keySecret: given "what another key encrypts", expected the same key as that of encryptionKey.',
    ].join('\n'),
  );
  new Payhooks(stack, 'Refunds', { keySecret, encryptionKey });
});

it('refuses a name that another deployment of the account and region has, or that SSM reserves', () => {
  const stack = foreignStack();
  const { deploymentName } = new Payhooks(stack, 'Payments');
  const refund = (scope: Construct, name: string) => () =>
    new Payhooks(scope, `Refunds${name}`, { deploymentName: name });
  const neighbour = new Stack(stack.node.root as App, 'Neighbour', { env });
  for (const scope of [stack, new NestedStack(stack, 'Nested'), neighbour])
    expect(refund(scope, deploymentName)).toThrow('expected another name than that of Shop/Payments');
  expect(refund(stack, 'aws-refunds')).toThrow('not aws or ssm at the beginning');
  refund(
    new Stack(stack.node.root as App, 'Far', { env: { ...env, region: 'eu-central-1' } }),
    deploymentName,
  )();
});

it('the vaults of two environments have two names, though their stacks have one id', () => {
  const names = ['beta', 'prod'].map((stackName) => {
    const stack = new Stack(foreignStack().node.root as App, 'Environment', { stackName });
    const { deploymentName } = new Payhooks(stack, 'Payments', { backupRetention: Duration.days(30) });
    expect(textOf(stack, 'AWS::Backup::BackupVault')).toContain(`"BackupVaultName":"${deploymentName}"`);
    return deploymentName;
  });
  expect(new Set(names).size).toBe(2);
});

it.each([
  ['ShopPayments', 'Payments'],
  ['Shop', 'Consumer'],
  ['Default', 'my-payments'],
])('the self-check may read the functions of %s/%s, by the names that they get', (parent, id) => {
  const stack = foreignStack();
  new Payhooks(new Construct(stack, parent), id);
  const functions = Object.keys(Template.fromStack(stack).findResources('AWS::Lambda::Function'));
  const [, pattern = 'none'] = /:function:Shop-(\w+)\*"/.exec(textOf(stack, 'AWS::IAM::Policy')) ?? [];
  expect(functions.filter((name) => !name.startsWith(pattern))).toEqual([]);
});
