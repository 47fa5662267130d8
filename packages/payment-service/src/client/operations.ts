interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** What an OAuth token needs, where the document shows it. */
  readonly scope?: string;
}

/** Every operation of API document v2, under the section that it comes from. */
export const operations = {
  listWebhooks: { method: 'GET', scope: 'view-webhooks' }, // 4.1
  createWebhook: { method: 'POST' }, // 4.2
  updateWebhook: { method: 'PUT' }, // 4.3
  deleteWebhook: { method: 'DELETE' }, // 4.4
  webhookHistory: { method: 'GET' }, // 4.5
  refreshTokens: { method: 'POST' }, // 4.6
  currentAccount: { method: 'GET' }, // 4.7
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;

export const operationOf = (name: OperationName): Operation => operations[name];

/**
 * Whether an operation may be sent again when the outcome of an attempt is not known. A POST is only repeated
 * when it was certainly not executed: a second run would register an address twice or present a spent token.
 */
export type Repeat = 'always' | 'unexecuted';

export const repeatOf = ({ method }: Operation): Repeat => (method === 'POST' ? 'unexecuted' : 'always');
