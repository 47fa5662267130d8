import { queueRetentionDays } from '../contract/limits.ts';
import { recoveryDays } from '../contract/operations-limits.ts';

/** Something that an erasure leaves, and where. */
export interface Remains {
  readonly what: string;
  readonly where: string;
}

/** What no erasure reaches. None of it but the last two holds what the payload had about the customer. */
export const remainsSentences: readonly Remains[] = [
  {
    what: 'the id, name, order, transaction, times, hash, signature and key id of the event, and its fact',
    where: 'its rows in the table events, which also keep the event from counting twice',
  },
  {
    what: 'the facts: event id, event name, transaction, amount, currency, time',
    where: 'the rows of its orders in the table orders, and of its transaction in the table events',
  },
  { what: 'who did what to the event, when and why', where: 'the acts in the table events' },
  { what: 'ids, outcomes and reasons; no body', where: 'the logs' },
  {
    what: 'the bodies, as the tables were before',
    where: `the point-in-time recovery of the tables for ${recoveryDays} days, with the setting keepData`,
  },
  {
    what: 'copies of the message that are still queued; their body is not stored again',
    where: `the event queue and the dead-letter queue for up to ${queueRetentionDays} days each`,
  },
];
