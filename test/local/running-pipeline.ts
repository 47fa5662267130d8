import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type Pipeline, type PipelineOptions, startPipeline } from '../../local/pipeline/pipeline.ts';
import { createInspection, createRequests, privateKey, sandboxKey } from '../acceptance/pipeline.ts';

export { eventually, privateKey, sandboxKey } from '../acceptance/pipeline.ts';

/** The whole pipeline in this process, and what a test asks of it. */
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
  const clients = createClients(pipeline);
  return {
    ...pipeline,
    ...createQuestions(pipeline.baseUrl),
    ...createInspection({ ...pipeline.resources, ...clients }),
    async stop() {
      for (const client of Object.values(clients)) client.destroy();
      await pipeline.stop();
    },
  };
}

/** What can be asked over HTTP of local mode, which serves everything at one address. */
export function createQuestions(baseUrl: string) {
  return createRequests({ webhookUrl: `${baseUrl}/webhooks/payments`, queryUrl: baseUrl });
}

function createClients({ endpoints }: Pipeline) {
  const base = { region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
  return {
    sqs: new SQSClient({ ...base, endpoint: endpoints.sqs }),
    dynamodb: new DynamoDBClient({ ...base, endpoint: endpoints.dynamodb }),
  };
}
