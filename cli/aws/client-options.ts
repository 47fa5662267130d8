import { awsAttemptsMax, awsConnectMilliseconds, awsRequestMilliseconds } from '../limits.ts';
import type { Stack } from '../target/stack.ts';

/** How every SDK client of the command line talks; region and credentials come from the SDK's own chain. */
export const awsClientOptions = {
  maxAttempts: awsAttemptsMax,
  requestHandler: {
    connectionTimeout: awsConnectMilliseconds,
    requestTimeout: awsRequestMilliseconds,
    throwOnRequestTimeout: true,
  },
} as const;

/** The emulators of local mode check no signature, but the SDK sends nothing without credentials. */
const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

export function secretsManagerOptions({ region, secretsManagerUrl }: Stack) {
  if (secretsManagerUrl === undefined) return { ...awsClientOptions, region };
  return { ...awsClientOptions, region, endpoint: secretsManagerUrl, credentials: localCredentials };
}
