import { InvalidRequestError } from './errors.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The URL of the order query: http or https, with a path when a custom domain maps one. */
export function parseBaseUrl(text: string): URL {
  // URL.parse() is missing in early versions of Node 20.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidRequestError(`The baseUrl is "${text}"; expected an http or https URL without a query.`);
  }
  return url;
}

export function requestUrl(baseUrl: URL, segments: readonly string[], query: Query): URL {
  const url = new URL(baseUrl);
  url.pathname = [baseUrl.pathname.replace(/\/$/, ''), ...segments].join('/');
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  url.search = given.map(([name, value]) => `${name}=${percentEncode(String(value))}`).join('&');
  return url;
}

/** URLs take `.` and `..` as steps in the path, even percent-encoded: another route would get the request. */
export function idSegment(kind: 'order' | 'event' | 'transaction' | 'body', id: string): string {
  if (id === '' || id === '.' || id === '..') {
    throw new InvalidRequestError(`The ${kind} id is "${id}"; a URL cannot contain it as an id.`);
  }
  if (!id.isWellFormed()) {
    throw new InvalidRequestError(`The ${kind} id ${JSON.stringify(id)} is not well-formed Unicode.`);
  }
  return percentEncode(id);
}

/** Everything but RFC 3986's unreserved characters, as SigV4 requires. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
