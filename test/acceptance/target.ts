import type { IncomingHttpHeaders } from 'node:http';

/** The keys that every pipeline under test holds; a test signs with them. */
export const privateKey = 'pri_test_key';
export const sandboxKey = 'pri_sandbox_test_key';

export interface Post {
  readonly signature?: string | string[] | undefined;
  readonly key?: 'live' | 'sandbox';
  readonly contentType?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type View = Readonly<Record<string, unknown>>;

/** What the acceptance suite asks of a running pipeline, wherever it runs. */
export interface AcceptanceTarget {
  sign(body: Uint8Array, key?: string): string;
  /** Posts a webhook, signed rightly unless told otherwise. */
  post(body: Uint8Array, options?: Post): Promise<Answer>;
  /** Asks the order query. */
  get(path: string): Promise<Answer & { readonly json: View }>;
  /** The live order once `until` holds. */
  order(id: string, until?: (order: View) => boolean): Promise<View>;
  /** The live event once it is recorded. */
  event(id: string): Promise<View>;
  /** Resolves when every queued event was handled. */
  settled(): Promise<unknown>;
  deadLetters(): Promise<number>;
  /** The sort keys of all rows under one partition key of `events`. */
  rowsOfEvents(key: string): Promise<string[]>;
  /** Every row of `events`. */
  countRows(): Promise<number>;
}
