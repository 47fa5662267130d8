import { AwsClient } from 'aws4fetch';
import { CredentialsError, InvalidRequestError } from './errors.ts';
import { parseBaseUrl, pathSegment, type Query, serializeQuery } from './request-url.ts';

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

export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  /** The segments of the path, not encoded: `['orders', 'order/1']`. */
  readonly path: readonly string[];
  readonly query?: Query | undefined;
  /** JSON. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const accept = 'application/json, application/problem+json';

/**
 * Sends single requests, signed and encoded as the clients do, for a program that passes requests on. It
 * resolves with any response as it is, does not follow redirects and repeats nothing. It throws
 * InvalidRequestError, CredentialsError, or what `fetch` throws.
 */
export function createSignedFetch(options: SignedFetchOptions) {
  const baseUrl = parseBaseUrl(options.baseUrl);
  const send = createSend(options);
  return async function signedFetch(request: SignedRequest): Promise<Response> {
    const { method, path, query = {}, body = null, signal = null } = request;
    const url = new URL(`${baseUrl}/${path.map(pathSegment).join('/')}`);
    url.search = serializeQuery(query);
    const headers = { accept, ...(body !== null && { 'content-type': 'application/json' }) };
    return send(new Request(url, { method, headers, body, redirect: 'manual', signal }), signal);
  };
}

/** Signs a request with the service of API Gateway, and sends it. */
export function createSend({ baseUrl, region, credentials, fetch = globalThis.fetch }: SignedFetchOptions) {
  if (credentials === false)
    return (request: Request, signal: AbortSignal | null) => fetch(request, { signal });
  const current = renewed(credentials ?? (() => defaultCredentials()));
  const scope = { service: 'execute-api', region: region ?? regionOf(new URL(baseUrl)) };
  return async function send(request: Request, signal: AbortSignal | null): Promise<Response> {
    const signed = await current()
      .then((identity) =>
        new AwsClient({ ...identity, ...scope }).sign(request, { signal, redirect: 'manual' }),
      )
      .catch((cause: unknown) => {
        throw new CredentialsError('No AWS credentials to sign the request with.', { cause });
      });
    return fetch(signed, { signal });
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
