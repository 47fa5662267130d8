import { memoize } from '@smithy/core/config';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { CredentialsError, InvalidRequestError } from './errors.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

type CredentialsProvider = () => Promise<AwsCredentials>;

/**
 * Omitted, the AWS SDK's default chain applies: environment, profile, SSO, container, instance. `false` sends
 * requests unsigned, for local mode.
 */
export type Credentials = AwsCredentials | CredentialsProvider | false;

export interface Signable {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body: string | undefined;
}

/** Resolves with the headers that authorise the request. */
export type Sign = (request: Signable) => Promise<Readonly<Record<string, string>>>;

export interface SignerOptions {
  readonly baseUrl: URL;
  readonly region: string | undefined;
  readonly credentials: Credentials | undefined;
}

/** Credentials are fetched again this long before they expire, as the AWS SDK does. */
const expiryMarginMilliseconds = 300_000;

export function createSigner({ baseUrl, region, credentials }: SignerOptions): Sign {
  if (credentials === false) return async () => ({});
  const signature = new SignatureV4({
    service: 'execute-api',
    region: region ?? regionOf(baseUrl),
    credentials: memoizeCredentials(credentials ?? (() => defaultCredentials())),
    sha256: Hash.bind(null, 'sha256'),
  });
  return async function sign({ method, url, body }) {
    const request = {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host },
      ...(body !== undefined && { body }),
    };
    const { headers } = await signature.sign(request).catch((cause: unknown) => {
      throw new CredentialsError('No AWS credentials to sign the request with.', { cause });
    });
    // `fetch` sets the host itself, from the same URL.
    const { host, ...others } = headers;
    return others;
  };
}

/** A role must not be assumed again for every request. */
function memoizeCredentials(credentials: AwsCredentials | CredentialsProvider): CredentialsProvider {
  const provider = typeof credentials === 'function' ? credentials : async () => credentials;
  return memoize(
    provider,
    ({ expiration }) => Number(expiration) - Date.now() < expiryMarginMilliseconds,
    ({ expiration }) => expiration !== undefined,
  );
}

/**
 * The AWS SDK's default chain, also for the `credentials` of its clients. It reads the files of a profile
 * each time, so that credentials which are renewed there count without a restart. Loaded when it is needed:
 * neither local mode nor a caller with credentials waits for it.
 */
export async function defaultCredentials(
  properties: Readonly<Record<string, unknown>> = {},
): Promise<AwsCredentials> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider({ ignoreCache: true })(properties);
}

/** API Gateway's own URLs contain the region; custom domains do not. */
function regionOf({ hostname }: URL): string {
  const [, inUrl] = /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(hostname) ?? [];
  const region = inUrl ?? process.env['AWS_REGION'];
  if (region !== undefined && region !== '') return region;
  throw new InvalidRequestError(
    `No region to sign for: ${hostname} contains none and AWS_REGION is not set. Pass \`region\`, ` +
      'or `credentials: false` for local mode.',
  );
}
