import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type PipelineOptions, startPipeline } from '../../local/pipeline/pipeline.ts';
import { createOperator } from './operator.ts';

type Options = Pick<PipelineOptions, 'port' | 'dataDirectory' | 'privateKey' | 'sandboxKey' | 'settings'> & {
  readonly clock: () => number;
  /** How the notifications of the payment service travel. */
  readonly fetch: typeof fetch;
};

export type Deployment = Awaited<ReturnType<typeof deploy>>;

/** Local mode over the data of this folder, with the webhook registered, and clients of its services. */
export async function deploy({ fetch, ...options }: Options) {
  const pipeline = await startPipeline({
    ...options,
    service: { port: 0, otherwiseAnyPort: false, authentication: 'oauth', fetch },
    // The first drill needs a verifier that has not read the keys, neither at its start nor for a heartbeat.
    ...{ warm: false, firstScheduleMilliseconds: 30_000 },
    onLine: () => {},
    onProgress: () => {},
  });
  const { baseUrl, endpoints } = pipeline;
  // The simulated payment service forgets what was registered.
  const type = createOperator({ baseUrl, now: options.clock, say: () => {} });
  await type('payhooks webhooks register --yes');
  const aws = { region: 'us-east-1', credentials: { accessKeyId: 'drill', secretAccessKey: 'drill' } };
  const clients = {
    sqs: new SQSClient({ ...aws, endpoint: endpoints.sqs }),
    secretsManager: new SecretsManagerClient({ ...aws, endpoint: endpoints.secretsManager }),
    dynamodb: new DynamoDBClient({ ...aws, endpoint: endpoints.dynamodb }),
    lambda: new LambdaClient({ ...aws, endpoint: endpoints.lambda }),
    logs: new CloudWatchLogsClient({ ...aws, endpoint: endpoints.logs }),
  };
  return {
    pipeline,
    ...clients,
    async close() {
      for (const client of Object.values(clients)) client.destroy();
      await pipeline.stop();
    },
  };
}
