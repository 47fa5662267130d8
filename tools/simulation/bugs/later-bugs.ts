import { type Bug, edit } from './bug.ts';

/** Mistakes with keys, bodies and orders long after an event was recorded, and with what is reported. */
export const laterBugs: readonly Bug[] = [
  {
    name: 'replay-keeps-the-former-reading',
    does: 'adds to an order what a replay reads in a body, and lets count what an older version read in it',
    edits: [
      edit(
        'operations/replay-event.ts',
        'const corrections = isWhole',
        'const corrections = isWhole && !mode',
      ),
    ],
  },
  {
    name: 'moved-payment-stays',
    does: 'leaves the former order of a payment in its transaction, when a replay reads another order in it',
    edits: [
      edit('operations/moved-payment.ts', 'if (stays) return none;', 'if (stays || found) return none;'),
    ],
  },
  {
    name: 'judged-twice',
    does: 'judges an event without a condition that no other operator has judged it meanwhile',
    edits: [
      edit(
        'aws/judgement-expression.ts',
        'const { outcome, waiting: kind, judged: judgement } = expected;',
        'const { outcome, waiting: kind, judged: judgement } = {} as typeof expected;',
      ),
    ],
  },
  {
    name: 'feed-resumes-too-late',
    does: 'has the stream continue from the last change that failed, not from the first',
    edits: [edit('order-feed/order-feed.ts', 'steps.find((step)', 'steps.findLast((step)')],
  },
  {
    name: 'count-of-live',
    does: 'counts only what waits in live mode',
    edits: [
      edit(
        'waiting-count/waiting-count.ts',
        "readonly Mode[] = ['live', 'sandbox'];",
        "readonly Mode[] = ['live'];",
      ),
    ],
  },
  {
    name: 'waiting-body-expires',
    does: 'lets the body of an event expire that still waits for a person',
    edits: [
      edit(
        'consumer/record-event.ts',
        'events.putBody(waiting === undefined ? { ...body, expiresAt } : body)',
        'events.putBody({ ...body, expiresAt })',
      ),
    ],
  },
  {
    name: 'expired-keys-accepted',
    does: 'accepts a private key after its time in the secret has passed',
    edits: [
      edit(
        'domain/signature.ts',
        'return acceptedUntil === undefined || now < acceptedUntil;',
        'return acceptedUntil === undefined || now > 0;',
      ),
    ],
  },
];
