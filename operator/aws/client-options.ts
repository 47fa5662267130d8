import { defaultCredentials } from '@payhooks/order-client';
import { awsAttemptsMax, awsConnectMilliseconds, awsRequestMilliseconds } from '../limits.ts';
import type { LocalService, Stack } from '../stack/stack.ts';

/** The options of every SDK client here; region and credentials come from the SDK's own chain. */
export const awsClientOptions = {
  credentials: defaultCredentials,
  maxAttempts: awsAttemptsMax,
  requestHandler: {
    connectionTimeout: awsConnectMilliseconds,
    requestTimeout: awsRequestMilliseconds,
    throwOnRequestTimeout: true,
  },
} as const;

/** Local mode's emulators ignore signatures, but the SDK sends nothing without credentials. */
const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

/** A queue's URL names AWS's address also where AWS_ENDPOINT_URL leads elsewhere. */
export const sqsOptions = (stack: Stack) => ({
  ...serviceOptions(stack, 'sqs'),
  useQueueUrlAsEndpoint: false,
});

/** The options of a client of one service of this stack. */
export function serviceOptions({ region, endpoints }: Stack, service: LocalService) {
  const endpoint = endpoints?.[service];
  if (endpoint === undefined) return { ...awsClientOptions, region };
  return { ...awsClientOptions, region, endpoint, credentials: localCredentials };
}
