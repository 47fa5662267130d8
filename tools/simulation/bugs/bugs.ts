import { type Bug, bug, edit } from './bug.ts';
import { receivingBugs } from './receiving-bugs.ts';

/** Mistakes of repairs and acts, and between an order and its readers. */
const orderBugs: readonly Bug[] = [
  bug(
    'entries-not-per-event',
    'notes in the row of a transaction which orders it has, and not for which of its events',
    edit('domain/transaction-entry.ts', '=> JSON.stringify(entry);', "=> JSON.stringify(entry.with(2, ''));"),
    edit(
      'domain/transaction-entry.ts',
      'eventOf(entry) !== eventId)',
      "![eventId, ''].includes(eventOf(entry) ?? '-'))",
    ),
  ),
  bug(
    'commit-without-versions',
    'writes a repair without the condition that nothing which it has read has changed',
    edit(
      'aws/expressions.ts',
      'if (count === 0)',
      "if (count >= 0) return { text: 'attribute_exists(#' + key + ')' };\n  if (count === 0)",
    ),
  ),
  bug(
    'young-events-moved',
    'moves what a consumer may still be working on',
    edit('projection/repair.ts', 'if (retryAfterSeconds > 0) return', 'if (retryAfterSeconds > 1e9) return'),
  ),
  bug(
    'former-facts-stay',
    'adds to an order what a replay reads in a body, and lets count what an older version read in it',
    edit('projection/project.ts', '(isKnown && eventIdOf(text) === eventId)', 'false'),
  ),
  bug(
    'first-to-arrive-counts',
    'lets the time of arrival decide between two events under one id',
    edit(
      'projection/layout.ts',
      '|| isSameDestination(row.reading, own?.reading);',
      '|| (own === undefined && isSameDestination(row.reading, undefined));',
    ),
  ),
  bug(
    'conflicts-are-full-orders',
    'takes an order that another transaction is writing for one that is full',
    edit('aws/commit.ts', 'itemTooLarge.test(Message) ?', "Message !== '' ?"),
    edit('aws/commit.ts', "  'TransactionConflict',\n", ''),
  ),
  bug(
    'fact-lost-on-overflow',
    'takes a fact that does not fit into the row of its order for one that is in it',
    edit('projection/project.ts', 'orders.get(id)?.refused.has(text)', 'orders.get(id) === undefined'),
  ),
  bug(
    'erasure-removes-the-reading',
    'removes with a body what it says about money',
    edit(
      'operations/erase.ts',
      'bodyRow: __, ...row }: EventRow',
      'bodyRow: __, reading: ___, ...row }: EventRow',
    ),
  ),
  bug(
    'act-without-its-order',
    'stores what an operator did next to the event, and not next to the orders that it changed',
    edit('operations/act.ts', '...partitions, ...concerned.map((id) => orderKey(mode, id))', '...partitions'),
  ),
  bug(
    'dry-run-writes',
    'carries out what an operator only wanted to see',
    edit('operations/act.ts', 'dry_run ? createPlannedStore', 'false ? createPlannedStore'),
  ),
  bug(
    'unprocessed-keys-ignored',
    'leaves out the orders that DynamoDB did not process in a BatchGetItem',
    edit('aws/table.ts', 'open = batches.flatMap(({ unprocessed }) => unprocessed);', 'open = [];'),
  ),
  bug(
    'feed-of-status-only',
    'publishes a change only when the status has changed',
    edit('order-feed/order-change.ts', 'JSON.stringify([status, attention, transactions]);', 'status;'),
  ),
  bug(
    'failed-entries-ignored',
    'ignores the entries that a PutEvents response of 200 refuses',
    edit(
      'aws/event-bus.ts',
      "return EventId === undefined ? (ErrorCode ?? 'NoEventId') : undefined;",
      'return undefined;',
    ),
  ),
  bug(
    'feed-resumes-too-late',
    'has the stream continue from the last change that failed, not from the first',
    edit('order-feed/order-feed.ts', 'steps.find((step)', 'steps.findLast((step)'),
  ),
  bug(
    'count-of-live',
    'counts only what waits in live mode',
    edit('waiting-count/waiting-count.ts', "Mode[] = ['live', 'sandbox'];", "Mode[] = ['live'];"),
  ),
];

/** Every deliberate bug; the simulation must find each of them within `seedsMax` seeds. */
export const bugs = [...receivingBugs, ...orderBugs];

export const bugNames: readonly string[] = bugs.map(({ name }) => name);
