import { App, Duration, NestedStack, RemovalPolicy, Stack, type StackProps, Stage, Tags } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AttributeType, type ITable, StreamViewType, Table, TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { InterfaceVpcEndpoint, InterfaceVpcEndpointAwsService, type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { AccountRootPrincipal, ManagedPolicy, PermissionsBoundary, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deploymentMetadata } from '../../lambdas/contract/deployment-metadata.ts';
import { Payhooks } from '../../lib/payhooks.ts';
import type { PayhooksProps } from '../../lib/payhooks-props.ts';
import { namesIn, namespacesIn } from './physical-names.ts';
import { readTemplate, type Synthesis, synthesise } from './synthesis.ts';

beforeEach(() => {
  vi.stubEnv('CDK_VALIDATION', 'false');
});

/** Another app, which has none of our feature flags. */
const foreignApp = (context: object = {}): App =>
  new App({ context: { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true, ...context } });

const foreignStack = (props: StackProps = {}): Stack => new Stack(foreignApp(), 'Shop', props);

/** The template, in which every reference has a target. */
function templateOf(stack: Stack): Synthesis {
  const template = Template.fromStack(stack).toJSON();
  const synthesis = readTemplate(template);
  const known = [...synthesis.resources.keys(), ...Object.keys(template['Parameters'] ?? {})];
  const refs = [...JSON.stringify(template).matchAll(/\{"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/g)].map(
    ([, id]) => id,
  );
  expect(refs.filter((id) => !id?.startsWith('AWS::') && !known.includes(`${id}`))).toEqual([]);
  return synthesis;
}

const idsOf = ({ resources }: Synthesis): string[] => [...resources.keys()].sort();

/** A resource or more for every prop that takes one: their ARNs, names and ids are tokens. */
function everyResource(stack: Stack): PayhooksProps {
  // The casts: CDK's classes do not match its interfaces under exactOptionalPropertyTypes.
  const vpc = new Vpc(stack, 'Vpc') as IVpc;
  const service = InterfaceVpcEndpointAwsService.APIGATEWAY;
  const role = (id: string) => new Role(stack, id, { assumedBy: new AccountRootPrincipal() });
  const secret = (id: string) => new Secret(stack, id) as ISecret;
  const bucket = new Bucket(stack, 'Trust') as IBucket;
  const partitionKey = { name: 'key', type: AttributeType.STRING };
  const stream = StreamViewType.NEW_AND_OLD_IMAGES;
  const parameter = (id: string) => StringParameter.valueForStringParameter(stack, id);
  return {
    paymentServiceBaseUrl: parameter('service'),
    paymentServiceAuthentication: 'oauth',
    webhookUrl: parameter('url'),
    webhookDomain: {
      domainName: parameter('domain'),
      certificate: new Certificate(stack, 'Certificate', { domainName: 'hooks.example.com' }),
      truststore: { bucket, key: 'authorities.pem', version: parameter('version') },
    },
    vpc,
    privateEndpoints: [new InterfaceVpcEndpoint(stack, 'Endpoint', { vpc, service })],
    eventsTable: new Table(stack, 'Events', { partitionKey }) as ITable,
    ordersTable: new Table(stack, 'Orders', { partitionKey, stream }) as ITable,
    sequenceBase: 1_000_000_000,
    ...{ keySecret: secret('Keys'), tokenSecret: secret('Token'), sealSecret: secret('Seals') },
    encryptionKey: new Key(stack, 'Key'),
    alarmTopic: new Topic(stack, 'Pages'),
    ticketTopic: new Topic(stack, 'Tickets'),
    runbookUrl: parameter('runbook'),
    deadMansSwitchUrl: parameter('switch'),
    ...{ operatorRole: role('Operator'), tableAdminRole: role('Admin') },
  };
}

describe('a construct in the stack of another app', () => {
  it.each<[string, StackProps]>([
    ['without an account and a region', {}],
    ['with an account and a region', { env: { account: '111122223333', region: 'eu-central-1' } }],
  ])('synthesises %s, with outputs that begin with its id', (_, props) => {
    const stack = foreignStack(props);
    const { deploymentName } = new Payhooks(stack, 'Payments');
    const { outputs } = templateOf(stack);
    expect(deploymentName).toMatch(/^Shop-Payments-[0-9A-F]{8}$/);
    expect(outputs['PaymentsPayhooksDeployment']?.Value).toBe(deploymentName);
    expect(outputs['PaymentsPutPrivateKey']?.Value).toBe('npx payhooks keys set --stack Shop/Payments');
  });

  it('has the logical ids, the outputs and the name of the stack, if it is the whole stack', () => {
    const stack = new Stack(foreignApp(), 'payhooks-production');
    const { deploymentName } = new Payhooks(stack, 'Default');
    const whole = templateOf(stack);
    expect(deploymentName).toBe('payhooks-production');
    expect(whole.outputs['WebhookUrl']).toBeDefined();
    expect(idsOf(whole)).toEqual(idsOf(synthesise()));
  });

  it.each<[string, (app: App) => [Stack, Stack]]>([
    ['one stack', (app) => [new Stack(app, 'Shop'), app.node.findChild('Shop') as Stack]],
    ['two stacks', (app) => [new Stack(app, 'Shop'), new Stack(app, 'Other')]],
    [
      'a stack and a nested one',
      (app) => {
        const shop = new Stack(app, 'Shop');
        return [shop, new NestedStack(shop, 'Nested')];
      },
    ],
    [
      'two stages',
      (app) => [new Stack(new Stage(app, 'Beta'), 'Shop'), new Stack(new Stage(app, 'Prod'), 'Shop')],
    ],
  ])('shares no name, statement, output or metric with another in %s', (_, place) => {
    const stacks = place(foreignApp());
    const paymentServiceBaseUrl = 'https://pay.example.com';
    const props = { paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' } as const;
    const [one, other] = stacks.map(
      (stack, index) => new Payhooks(stack, index ? 'Refunds' : 'Payments', props),
    );
    const templates = [...new Set(stacks)].map(templateOf);
    const names = templates.flatMap(namesIn);
    expect(JSON.stringify(templates)).not.toContain('"Export"');
    expect(names).toContain(`AWS::Events::EventBus ${one?.deploymentName}`);
    expect(names).toContain(`AWS::Events::EventBus ${other?.deploymentName}`);
    expect(names).toEqual([...new Set(names)]);
    expect(templates.flatMap(namespacesIn).sort()).toEqual(
      [one?.deploymentName, other?.deploymentName].sort(),
    );
  });

  it('has a name that fits an archive, however long that of the stack is, or the one that is given', () => {
    const long = new Stack(foreignApp(), 'S'.repeat(61));
    const { deploymentName } = new Payhooks(long, 'Default');
    expect(deploymentName).toMatch(/^S+-?[0-9A-F]{8}$/);
    expect(deploymentName.length).toBeLessThanOrEqual(48);
    expect(new Payhooks(foreignStack(), 'Payments', { deploymentName: 'shop' }).deploymentName).toBe('shop');
  });

  it('stands beside resources and outputs of the names of its own, and marks only its own', () => {
    const shop = () => {
      const stack = foreignStack();
      for (const id of ['WebhookUrl', 'Parameters', 'Verifier', 'Tables']) new Queue(stack, id);
      return { stack, props: everyResource(stack) };
    };
    const { stack, props } = shop();
    new Payhooks(stack, 'Payments', props);
    const { resources } = templateOf(stack);
    const foreign = [...resources].filter(([, { Metadata }]) => Metadata?.[deploymentMetadata] === undefined);
    // Only the topics of the app get something new: the policies that let alarms publish.
    const policies = [expect.stringMatching(/^PagesPolicy/), expect.stringMatching(/^TicketsPolicy/)];
    const before = idsOf(templateOf(shop().stack));
    const ids = foreign.map(([id]) => id);
    expect(ids.filter((id) => before.includes(id)).sort()).toEqual(before);
    expect(ids.filter((id) => !before.includes(id)).sort()).toEqual(policies);
  });

  it('takes the tags and the permissions boundary of the app, in every role', () => {
    const app = foreignApp();
    const stack = new Stack(app, 'Shop');
    new Payhooks(stack, 'Payments');
    const boundary = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', 'boundary');
    PermissionsBoundary.of(app).apply(boundary);
    Tags.of(app).add('team', 'shop');
    const { propertiesOf } = templateOf(stack);
    const roles = propertiesOf('AWS::IAM::Role');
    expect(roles.length).toBeGreaterThan(10);
    for (const role of roles) {
      expect(role).toMatchObject({ Tags: [{ Key: 'team', Value: 'shop' }] });
      expect(JSON.stringify(role['PermissionsBoundary'])).toContain(':policy/boundary');
    }
  });

  it('names in the guard of its tables the roles that it has, in a stage as well', () => {
    const stack = new Stack(new Stage(foreignApp(), 'Beta'), 'Shop');
    const role = (id: string) => Role.fromRoleName(stack, id, id.toLowerCase());
    new Payhooks(stack, 'Payments', { operatorRole: role('Operator'), tableAdminRole: role('Admin') });
    const { ofType, propertiesOf } = templateOf(stack);
    const roles = ofType('AWS::IAM::Role').map(([id]) => id);
    const tables = JSON.stringify(propertiesOf('AWS::DynamoDB::Table'));
    for (const writer of ['ConsumerFunction', 'OperationsFunction', 'OrderFeedFunction']) {
      expect(roles).toContainEqual(expect.stringMatching(`^Payments${writer}`));
      // CloudFormation cuts the logical id to 24 characters in the name of a role.
      expect(tables).toContain(`:role/Beta-Shop-${`Payments${writer}`.slice(0, 24)}*`);
    }
  });

  it('deletes its data with removalPolicy DESTROY, and protects it otherwise', () => {
    const protections = [RemovalPolicy.DESTROY, RemovalPolicy.RETAIN].map((removalPolicy) => {
      const stack = foreignStack();
      new Payhooks(stack, 'Payments', { removalPolicy });
      const tables = templateOf(stack).ofType('AWS::DynamoDB::Table');
      return tables.map(([, table]) => [table.DeletionPolicy, table.Properties['DeletionProtectionEnabled']]);
    });
    expect(protections).toEqual([
      [
        ['Delete', false],
        ['Delete', false],
      ],
      [
        ['Retain', true],
        ['Retain', true],
      ],
    ]);
  });
});

it('has no finding of cdk-nag, with few props or with all', () => {
  const app = foreignApp();
  const few = new Payhooks(new Stack(app, 'Few'), 'Payments');
  const stack = new Stack(app, 'All');
  const props = everyResource(stack);
  const all = new Payhooks(stack, 'Payments', { ...props, rollout: 'LambdaCanary10Percent5Minutes' });
  for (const payhooks of [few, all])
    expect(new AwsSolutionsChecks(app).validateScope(payhooks).violations).toEqual([]);
});

describe('the props', () => {
  it('take resources of the same app, whose names only the deployment knows', () => {
    const stack = foreignStack();
    const props = everyResource(stack);
    new Payhooks(stack, 'Payments', props);
    const { propertiesOf, variablesOf, ofType, resources } = templateOf(stack);
    expect(variablesOf('Payments/Verifier')['KEY_SECRET_ARN']).toEqual({
      Ref: expect.stringMatching(/^Keys/),
    });
    const mapping = propertiesOf('AWS::Lambda::EventSourceMapping').map((one) => one['EventSourceArn']);
    expect(mapping).toContainEqual({ 'Fn::GetAtt': [expect.stringMatching(/^Orders/), 'StreamArn'] });
    const pages = propertiesOf('AWS::CloudWatch::Alarm').map((alarm) =>
      JSON.stringify(alarm['AlarmActions']),
    );
    expect([...new Set(pages)].sort()).toEqual([
      expect.stringMatching(/"Pages/),
      expect.stringMatching(/"Tickets/),
    ]);
    for (const lambda of propertiesOf('AWS::Lambda::Function')) {
      if (lambda['Code'] === undefined || JSON.stringify(lambda).includes('CustomResource')) continue;
      expect(lambda).toMatchObject({ VpcConfig: { SecurityGroupIds: [expect.anything()] } });
    }
    expect(ofType('AWS::DynamoDB::Table')).toHaveLength(2);
    // CloudWatch Logs and EventBridge encrypt with the key on their own behalf.
    const [key] = [...resources.values()].filter(({ Type }) => Type === 'AWS::KMS::Key');
    expect(JSON.stringify(key?.Properties)).toMatch(/"Service":.*"logs\..*"Service":"events\./);
  });

  it('are the settings of docs/settings.md', () => {
    const stack = foreignStack();
    new Payhooks(stack, 'Payments', {
      eventRetention: Duration.days(400),
      eventsTableClass: TableClass.STANDARD_INFREQUENT_ACCESS,
      logRetention: RetentionDays.TWO_WEEKS,
      expectWebhooksWithin: Duration.days(2),
      backupRetention: Duration.days(30),
      batchWindow: Duration.seconds(1),
      approvals: ['erase'],
    });
    const { variablesOf, ofType, propertiesOf } = templateOf(stack);
    expect(variablesOf('Payments/Operations')).toMatchObject({ APPROVALS: 'erase' });
    expect(variablesOf('Payments/Consumer')['EVENT_RETENTION_DAYS']).toBe('400');
    expect(ofType('AWS::Backup::BackupVault')).toHaveLength(1);
    expect(propertiesOf('AWS::Logs::LogGroup').map((group) => group['RetentionInDays'])).toContain(14);
    const silent = propertiesOf('AWS::CloudWatch::Alarm').find((alarm) =>
      `${alarm['AlarmName']}`.endsWith('WebhooksSilent'),
    );
    expect(silent).toMatchObject({ EvaluationPeriods: 48 });
    for (const mapping of propertiesOf('AWS::Lambda::EventSourceMapping'))
      expect(mapping['MaximumBatchingWindowInSeconds']).toBe(1);
  });

  it.each<[string, (stack: Stack) => PayhooksProps, string]>([
    [
      'a contradiction',
      (stack) => ({ alarmEmail: 'a@example.com', alarmTopic: new Topic(stack, 'T') }),
      'alarmEmail: given "a@example.com", expected nothing',
    ],
    [
      'a period that logs do not have',
      () => ({ logRetention: RetentionDays.INFINITE }),
      'logRetentionDays: given 9999, expected one of 1, 3',
    ],
    [
      'a table of orders without a stream',
      (stack) => ({ ordersTable: Table.fromTableName(stack, 'O', 'orders'), sequenceBase: 0 }),
      'ordersTable: given a table without tableStreamArn, expected one with a stream',
    ],
    [
      'a name that AWS refuses',
      () => ({ deploymentName: 'pay hooks' }),
      'deploymentName: given "pay hooks", expected',
    ],
  ])('refuse %s with a sentence', (_, props, problem) => {
    const stack = foreignStack();
    expect(() => new Payhooks(stack, 'Payments', props(stack))).toThrow(problem);
  });
});

describe('what an app does with it', () => {
  const statementsOf = (stack: Stack, id: string): string =>
    JSON.stringify(
      templateOf(stack)
        .ofType('AWS::IAM::Policy')
        .filter(([policy]) => policy.startsWith(id)),
    );
  const grantee = (stack: Construct) => new Role(stack, 'Shop', { assumedBy: new AccountRootPrincipal() });

  it('sends the changes of live orders to a queue, or those of the sandbox', () => {
    const stack = foreignStack();
    const payhooks = new Payhooks(stack, 'Payments');
    const queue = new Queue(stack, 'Changes');
    payhooks.onOrderStatusChanged('Live', { target: new SqsQueue(queue) });
    payhooks.onOrderStatusChanged('Sandbox', { target: new SqsQueue(queue), mode: 'sandbox' });
    const template = Template.fromStack(stack);
    for (const source of ['payhooks', 'payhooks.sandbox'])
      template.hasResourceProperties('AWS::Events::Rule', {
        EventPattern: { source: [source], 'detail-type': ['OrderStatusChanged'] },
        EventBusName: { Ref: Match.stringLikeRegexp('^PaymentsOrderFeedBus') },
        Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Changes'), 'Arn'] } })],
      });
  });

  it.each<[string, (payhooks: Payhooks, to: Role) => unknown, RegExp, RegExp]>([
    ['the order query', (payhooks, to) => payhooks.grantQuery(to), /GET\/\*/, /operations/],
    [
      'all operations',
      (payhooks, to) => payhooks.grantOperate(to),
      /GET\/operations\/bodies.*POST\/operations\/\*/,
      /secretsmanager/,
    ],
    [
      'looking',
      (payhooks, to) => payhooks.grantOperate(to, { acts: false, bodies: false }),
      /GET\/operations\/waiting\*/,
      /POST|bodies/,
    ],
    [
      'keys',
      (payhooks, to) => payhooks.grantPutKeys(to),
      /secretsmanager:PutSecretValue.*VerifierKeySecret/,
      /execute-api/,
    ],
  ])('grants %s and nothing more', (_, grant, granted, withheld) => {
    const stack = foreignStack();
    grant(new Payhooks(stack, 'Payments'), grantee(stack));
    const statements = statementsOf(stack, 'ShopDefaultPolicy');
    expect(statements).toMatch(granted);
    expect(statements).not.toMatch(withheld);
  });

  it('has metrics for a dashboard, its alarms by name and its functions by stage', () => {
    const stack = foreignStack();
    const payhooks = new Payhooks(stack, 'Payments');
    const period = Duration.minutes(1);
    const metrics = [
      payhooks.metricWebhookServerErrors({ period }),
      payhooks.metricEventAge({ period }),
      payhooks.metricDecisionsWaiting({ period }),
    ];
    expect(metrics.map(({ metricName, period }) => [metricName, period.toMinutes()])).toEqual([
      ['5xx', 1],
      ['ApproximateAgeOfOldestMessage', 1],
      ['DecisionsWaiting', 1],
    ]);
    expect(metrics[2]?.namespace).toBe(payhooks.deploymentName);
    expect(Object.keys(payhooks.alarms)).toContain('HeartbeatMissing');
    expect(Object.keys(payhooks.functions)).toContain('verifier');
  });
});
