import { UnaskableError } from './errors.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of the order query: http or https, with a path of its own behind a custom domain. */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UnaskableError(`The baseUrl is "${text}"; expected an http or https address without a query.`);
  }
  return url;
}

export function addressOf(baseUrl: URL, segments: readonly string[], query: Query = {}): URL {
  const url = new URL(baseUrl);
  url.pathname = [baseUrl.pathname.replace(/\/$/, ''), ...segments].join('/');
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  url.search = given.map(([name, value]) => `${name}=${percentEncoded(String(value))}`).join('&');
  return url;
}

/**
 * An id as one segment of a path. URLs take `.` and `..` as steps in the path, encoded or not: the request
 * would go to another route.
 */
export function idSegment(kind: 'order' | 'event', id: string): string {
  if (id === '' || id === '.' || id === '..') {
    throw new UnaskableError(`The ${kind} id is "${id}", which no URL can hold.`);
  }
  if (!id.isWellFormed()) {
    throw new UnaskableError(`The ${kind} id ${JSON.stringify(id)} is not well-formed Unicode.`);
  }
  return percentEncoded(id);
}

/** Everything but RFC 3986's unreserved characters, as SigV4 counts them. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
