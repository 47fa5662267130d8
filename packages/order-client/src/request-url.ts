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
  return pathSegment(`${kind} id`, id);
}

/** Throws InvalidRequestError for a segment that a URL cannot contain; `name` is what it is. */
export function pathSegment(name: string, text: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw new InvalidRequestError(`The ${name} is "${text}"; a URL cannot contain it as an id.`);
  }
  if (!text.isWellFormed()) {
    throw new InvalidRequestError(`The ${name} ${JSON.stringify(text)} is not well-formed Unicode.`);
  }
  return percentEncode(text);
}

/** Everything but RFC 3986's unreserved characters, as SigV4 requires. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
