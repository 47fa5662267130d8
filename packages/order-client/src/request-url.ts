import { InvalidRequestError } from './errors.ts';

export type Query = Readonly<Record<string, unknown>>;

/** The URL of an API, with a path when a custom domain maps one; without a slash at its end. */
export function parseBaseUrl(text: string): string {
  // URL.parse() is missing in early versions of Node 20.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidRequestError(`The baseUrl is "${text}"; expected an http or https URL without a query.`);
  }
  return url.href.replace(/\/$/, '');
}

/** URLs take `.` and `..` as steps in the path, even percent-encoded: another route would get the request. */
export function pathSegment(text: string): string {
  if (['', '.', '..'].includes(text) || !text.isWellFormed()) {
    throw new InvalidRequestError(`A URL cannot contain ${JSON.stringify(text)} as an id.`);
  }
  return percentEncode(text);
}

/** Fills in the `{names}` of a documented path. */
export const serializePath = (path: string, ids: Query): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => pathSegment(String(ids[name])));

export const serializeQuery = (query: Query): string =>
  Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${percentEncode(String(value))}`)
    .join('&');

/** Everything but RFC 3986's unreserved characters: what the signature covers is then what is sent. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
