import { UnexpectedResponseError } from './errors.ts';
import { isJsonObject } from './problem-response.ts';

export interface Expected {
  /** Enough fields to recognise the response; additional ones are fine. */
  readonly fields: readonly string[];
  /** Whose URL the baseUrl should be. */
  readonly api: string;
}

/** The body of a successful response. Throws UnexpectedResponseError. */
export function parseBody<T>(body: string, { fields, api }: Expected): T {
  const response = parseJson(body);
  const missing = fields.filter((field) => !isJsonObject(response) || !(field in response));
  if (missing.length === 0) return response as T;
  throw new UnexpectedResponseError(
    `The response has no ${missing.join(', ')}; is the baseUrl that of the ${api}?`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
