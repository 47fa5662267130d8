import { isPrivateAddress } from '../web-address.ts';
import { InvalidRequestError } from './errors.ts';

const apiPath = '/api/v2';

/**
 * The address of the payment service, without the path of API v2. No message quotes it: a key may have been
 * put in its place.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new InvalidRequestError('The base URL is not a URL.');
  if (!isPrivateAddress(url)) {
    throw new InvalidRequestError('The base URL is not https; http is for a loopback address only.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidRequestError('The base URL has more than an origin and a path.');
  }
  if (/\/api\/v2\/?$/.test(url.pathname)) {
    throw new InvalidRequestError(
      `The base URL ends in ${apiPath}, which this client adds itself (section 9).`,
    );
  }
  return url;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export function addressOf(baseUrl: URL, segments: readonly string[], query: Query = {}): URL {
  const url = new URL(baseUrl);
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/');
  url.pathname = `${baseUrl.pathname.replace(/\/$/, '')}${apiPath}/${path}`;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}
