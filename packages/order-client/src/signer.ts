import { memoize } from '@smithy/core/config';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, Provider } from '@smithy/types';
import { CredentialsError, UnaskableError } from './errors.ts';

/**
 * `false` sends requests unsigned, for local mode. Left out, the AWS SDK's own chain looks: environment,
 * profile, SSO, container, instance.
 */
export type Credentials = AwsCredentialIdentity | Provider<AwsCredentialIdentity> | false;

/** The headers that a GET needs beside its own. */
export type Signer = (url: URL, headers: Readonly<Record<string, string>>) => Promise<Record<string, string>>;

export interface SignerOptions {
  readonly baseUrl: URL;
  readonly region: string | undefined;
  readonly credentials: Credentials | undefined;
}

/** Credentials are fetched again this long before they end, as the AWS SDK does. */
const expiryMarginMilliseconds = 300_000;

const noSignature: Signer = async () => ({});

export function createSigner({ baseUrl, region, credentials }: SignerOptions): Signer {
  if (credentials === false) return noSignature;
  const signature = new SignatureV4({
    service: 'execute-api',
    region: region ?? regionOf(baseUrl),
    // Kept until shortly before they end: an assumed role must not be assumed again for every request.
    credentials: memoised(credentials ?? sdkChain),
    sha256: Hash.bind(null, 'sha256'),
  });
  return async (url, headers) => {
    const signed = await signature.sign({
      method: 'GET',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers, host: url.host },
    });
    // `fetch` sets the host itself, from the same address.
    const { host, ...rest } = signed.headers;
    return rest;
  };
}

function memoised(credentials: Exclude<Credentials, false>): Provider<AwsCredentialIdentity> {
  const provider = typeof credentials === 'function' ? credentials : async () => credentials;
  return memoize(
    async () => provider().catch(failed),
    ({ expiration }) => Number(expiration) - Date.now() < expiryMarginMilliseconds,
    ({ expiration }) => expiration !== undefined,
  );
}

function failed(cause: unknown): never {
  throw new CredentialsError('The credentials to sign with could not be had.', { cause });
}

/** Loaded at the first signature, so that neither local mode nor a caller with credentials waits for it. */
async function sdkChain(): Promise<AwsCredentialIdentity> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider()();
}

/** The region in the address that API Gateway gives an API; a custom domain holds none. */
function regionOf({ hostname }: URL): string {
  const [, region] = /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(hostname) ?? [];
  const found = region ?? process.env['AWS_REGION'];
  if (found !== undefined && found !== '') return found;
  throw new UnaskableError(
    `The region is not known: ${hostname} names none and AWS_REGION is not set. Give \`region\`, ` +
      'or `credentials: false` for local mode.',
  );
}
