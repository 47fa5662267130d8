/** Runs the baseline in the emulators of local mode, and prints the same first lines as `npm start`. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { startStack } from '@payhooks/cdk-local';
import { bundlePipelines } from './bundles.ts';
import { privateKey, signatureHeader } from './stack.ts';

type Properties = Readonly<Record<string, unknown>>;

const ref = (name: string) => ({ Ref: name });
const arn = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
const resource = (Type: string, Properties: Properties) => ({ Type, Properties });
const table = (key: string) =>
  resource('AWS::DynamoDB::Table', {
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });

const Variables = {
  POWERTOOLS_LOGGER_LOG_EVENT: 'true',
  POWERTOOLS_METRICS_NAMESPACE: 'measured',
  SIGNATURE_HEADER: signatureHeader,
  SECRET_ARN: ref('Key'),
  QUEUE_URL: ref('Queue'),
  EVENTS_TABLE_NAME: ref('Events'),
  ORDERS_TABLE_NAME: ref('Orders'),
  IDEMPOTENCY_TABLE_NAME: ref('Idempotency'),
};
const lambda = (name: string) => ({
  ...resource('AWS::Lambda::Function', {
    Handler: `${name}.handler`,
    Timeout: 10,
    MemorySize: 512,
    Environment: { Variables: { ...Variables, POWERTOOLS_SERVICE_NAME: name } },
  }),
  Metadata: { 'aws:asset:path': '.' },
});

const Resources = {
  Key: resource('AWS::SecretsManager::Secret', {}),
  Queue: resource('AWS::SQS::Queue', { VisibilityTimeout: 60 }),
  Events: table('id'),
  Orders: table('order_id'),
  Idempotency: table('id'),
  Receive: lambda('receive'),
  Record: lambda('record'),
  Mapping: resource('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: arn('Queue'),
    FunctionName: ref('Record'),
    BatchSize: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  }),
  Api: resource('AWS::ApiGatewayV2::Api', { ProtocolType: 'HTTP' }),
  Integration: resource('AWS::ApiGatewayV2::Integration', {
    ApiId: ref('Api'),
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: arn('Receive'),
    PayloadFormatVersion: '2.0',
  }),
  Route: resource('AWS::ApiGatewayV2::Route', {
    ApiId: ref('Api'),
    RouteKey: 'POST /webhooks/payments',
    AuthorizationType: 'NONE',
    Target: { 'Fn::Join': ['', ['integrations/', ref('Integration')]] },
  }),
};

const { folder } = await bundlePipelines();
const artifacts = {
  baseline: { type: 'aws:cloudformation:stack', properties: { templateFile: 'template.json' } },
};
writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts }));
writeFileSync(join(folder, 'template.json'), JSON.stringify({ Resources }));
process.on('exit', () => rmSync(folder, { recursive: true }));
process.on('SIGTERM', () => process.exit());

const stack = await startStack({
  assembly: folder,
  async seed({ clientSettings, model }) {
    const client = new SecretsManager(clientSettings('secretsManager'));
    await client.putSecretValue({ SecretId: model.secrets[0]?.name ?? '', SecretString: privateKey });
    client.destroy();
  },
  onLine: (_, line) => process.stdout.write(`${line}\n`),
  onFault: (sentence) => process.stderr.write(`${sentence}\n`),
});
process.stdout.write(`ready ${stack.baseUrl}\nsigned in the header ${signatureHeader}\n`);
