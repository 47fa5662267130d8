import { awsAttemptsMax, awsConnectMilliseconds, awsRequestMilliseconds } from '../limits.ts';
import type { Stack } from '../target/stack.ts';

/** The options of every SDK client here; region and credentials come from the SDK's own chain. */
export const awsClientOptions = {
  maxAttempts: awsAttemptsMax,
  requestHandler: {
    connectionTimeout: awsConnectMilliseconds,
    requestTimeout: awsRequestMilliseconds,
    throwOnRequestTimeout: true,
  },
} as const;

/** Local mode's emulators ignore signatures, but the SDK sends nothing without credentials. */
const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

export const secretsManagerOptions = ({ region, secretsManagerUrl }: Stack) =>
  optionsAt(region, secretsManagerUrl);

export const dynamoDbOptions = ({ region, dynamoDbUrl }: Stack) => optionsAt(region, dynamoDbUrl);

/** A queue's URL names AWS's address also where AWS_ENDPOINT_URL leads elsewhere. */
export const sqsOptions = ({ region, sqsUrl }: Stack) => ({
  ...optionsAt(region, sqsUrl),
  useQueueUrlAsEndpoint: false,
});

function optionsAt(region: string, endpoint: string | undefined) {
  if (endpoint === undefined) return { ...awsClientOptions, region };
  return { ...awsClientOptions, region, endpoint, credentials: localCredentials };
}
