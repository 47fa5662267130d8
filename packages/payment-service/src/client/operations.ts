/** Whether an operation may be sent again when the outcome of an attempt is not known. */
export type Repeat =
  /** Reads, and writes that end in the same state however often they run. */
  | 'always'
  /** Only when the attempt was certainly not executed: a second run would do harm. */
  | 'unexecuted';

interface OperationRule {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly repeat: Repeat;
  /** What an OAuth token needs, where the document shows it. */
  readonly scope?: string;
}

/** Every operation of API document v2, under the section that it comes from. */
export const operations = {
  /** 4.1 */
  listWebhooks: { method: 'GET', repeat: 'always', scope: 'view-webhooks' },
  /** 4.2: a second run would register the address twice. */
  createWebhook: { method: 'POST', repeat: 'unexecuted' },
  /** 4.3 */
  updateWebhook: { method: 'PUT', repeat: 'always' },
  /** 4.4 */
  deleteWebhook: { method: 'DELETE', repeat: 'always' },
  /** 4.5 */
  webhookHistory: { method: 'GET', repeat: 'always' },
  /** 4.6: refresh tokens rotate, so a second run would present one that is spent. */
  refreshTokens: { method: 'POST', repeat: 'unexecuted' },
  /** 4.7 */
  currentAccount: { method: 'GET', repeat: 'always' },
} as const satisfies Readonly<Record<string, OperationRule>>;

export type OperationName = keyof typeof operations;

export const ruleOf = (operation: OperationName): OperationRule => operations[operation];
