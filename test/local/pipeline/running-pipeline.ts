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
  const { clients, resources } = pipeline;
  return {
    ...pipeline,
    ...requestsTo(pipeline.baseUrl),
    ...createInspection({ ...resources, ...clients }),
    operations: createOperationsClient({ baseUrl: pipeline.baseUrl, credentials: false }),
  };
}

/** Local mode serves webhooks and the order query at one address. */
export function requestsTo(baseUrl: string) {
  return createRequests({ webhookUrl: `${baseUrl}/webhooks/payments`, queryUrl: baseUrl });
}
