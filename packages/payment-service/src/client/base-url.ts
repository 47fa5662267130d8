import { UnaskableError } from './errors.ts';

const apiPath = '/api/v2';

/** Everything on this machine is its own: a simulator needs no certificate. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Credentials and events never cross a network in clear. */
export function isPrivateAddress(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname));
}

/**
 * The address of the payment service, without the path that is common to all of API v2. No message quotes
 * it, for it may have been mistaken for the place where a key goes.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new UnaskableError('The base URL is not a URL.');
  if (!isPrivateAddress(url)) {
    throw new UnaskableError('The base URL is not https; plain http is for a loopback address only.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UnaskableError('The base URL has more than an origin and a path.');
  }
  if (/\/api\/v2\/?$/.test(url.pathname)) {
    throw new UnaskableError(`The base URL ends in ${apiPath}, which this client adds itself (section 9).`);
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
