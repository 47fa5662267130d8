import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createOperationsClient } from '@payhooks/order-client';
import { type PipelineOptions, startPipeline } from '../../../local/pipeline/pipeline.ts';
import { createInspection, createRequests, privateKey, sandboxKey } from '../../acceptance/pipeline.ts';

export { eventually, privateKey, sandboxKey } from '../../acceptance/pipeline.ts';

/** The whole pipeline in this process, with the requests of a test. */
export type RunningPipeline = Awaited<ReturnType<typeof runPipeline>>;

export async function runPipeline(options: Partial<PipelineOptions> = {}) {
  const pipeline = await startPipeline({
    port: 0,
    privateKey,
    sandboxKey,
    onLine: () => {},
    onProgress: () => {},
    ...options,
  });
  const { endpoints, resources } = pipeline;
  const settings = { region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
  const clients = {
    sqs: new SQSClient({ ...settings, endpoint: endpoints.sqs }),
    dynamodb: new DynamoDBClient({ ...settings, endpoint: endpoints.dynamodb }),
    secretsManager: new SecretsManagerClient({ ...settings, endpoint: endpoints.secretsManager }),
  };
  return {
    ...pipeline,
    ...requestsTo(pipeline.baseUrl),
    ...createInspection({ ...resources, ...clients }),
    operations: createOperationsClient({ baseUrl: pipeline.baseUrl, credentials: false }),
    clients,
    async stop() {
      for (const client of Object.values(clients)) client.destroy();
      await pipeline.stop();
    },
  };
}

/** Local mode serves webhooks and the order query at one address. */
export function requestsTo(baseUrl: string) {
  return createRequests({ webhookUrl: `${baseUrl}/webhooks/payments`, queryUrl: baseUrl });
}
