import { AwsClient } from 'aws4fetch';
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

/**
 * The part of `fetch` that the client uses. It gets the signal of the request once more: Node refers only
 * weakly from a signal to a Request, so after a garbage collection that of the Request ends nothing.
 */
export type Fetch = (request: Request, init?: { readonly signal: AbortSignal | null }) => Promise<Response>;

export interface SignedFetchOptions {
  /**
   * The stack's output `OrderQueryUrl`, for the operations client `OperationsUrl`; or the URL of local mode.
   */
  readonly baseUrl: string;
  /** Read from an API Gateway URL, otherwise from `AWS_REGION`. */
  readonly region?: string | undefined;
  readonly credentials?: Credentials | undefined;
  readonly fetch?: Fetch | undefined;
}

/**
 * A `fetch` that signs each request for API Gateway and repeats nothing. Any response is returned as it is.
 * It throws CredentialsError, or what `fetch` throws.
 */
export function createSignedFetch(options: SignedFetchOptions): Fetch {
  const { baseUrl, region, credentials, fetch = globalThis.fetch } = options;
  if (credentials === false) return fetch;
  const current = renewed(credentials ?? (() => defaultCredentials()));
  const scope = { service: 'execute-api', region: region ?? regionOf(parseBaseUrl(baseUrl)) };
  return async function signedFetch(request, { signal } = request) {
    const client = await current()
      .then((identity) => new AwsClient({ ...identity, ...scope }))
      .catch((cause: unknown) => {
        throw new CredentialsError('No AWS credentials to sign the request with.', { cause });
      });
    const { method, headers, redirect } = request;
    const body = (await request.text()) || null;
    // What the signature covers is percent-encoded like this; a URL may have these characters as they are.
    const url = request.url.replaceAll(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    return fetch(await client.sign(url, { method, headers, body, redirect, signal }), { signal });
  };
}

/** Credentials are fetched again this long before they expire, as the AWS SDK does. */
const expiryMarginMilliseconds = 300_000;
/** So that the first request fetches some. */
const expired: AwsCredentials = { accessKeyId: '', secretAccessKey: '', expiration: new Date(0) };

/** A role must not be assumed again for every request, nor by each of several requests at once. */
function renewed(credentials: AwsCredentials | CredentialsProvider): CredentialsProvider {
  const provider = typeof credentials === 'function' ? credentials : async () => credentials;
  const isFresh = ({ expiration }: AwsCredentials) =>
    expiration === undefined || expiration.getTime() - Date.now() >= expiryMarginMilliseconds;
  let latest = Promise.resolve(expired);
  return async function current() {
    const known = latest;
    const isUsable = await known.then(isFresh, () => false);
    if (!isUsable && latest === known) latest = provider();
    return latest;
  };
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

/** The URL of an API, with a path when a custom domain maps one. */
export function parseBaseUrl(text: string): URL {
  // URL.parse() is missing in early versions of Node 20.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidRequestError(`The baseUrl is "${text}"; expected an http or https URL without a query.`);
  }
  return url;
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
