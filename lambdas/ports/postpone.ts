/**
 * Hides messages of one batch until their next attempt, counted from now. After a throw, some or all of them
 * are hidden for the visibility timeout of the queue instead.
 */
export type Postpone = (
  messages: readonly { readonly receiptHandle: string; readonly seconds: number }[],
) => Promise<void>;
