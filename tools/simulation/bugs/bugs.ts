import { type Bug, bug, edit } from './bug.ts';
import { receivingBugs } from './receiving-bugs.ts';

/** Mistakes of repairs and acts, and between an order and its readers. */
const orderBugs = {
  'commit-without-versions': bug(
    'orders',
    'writes a repair without the condition that nothing which it has read has changed',
    edit(
      'aws/expressions.ts',
      'if (count === 0)',
      "if (count >= 0) return { text: 'attribute_exists(#' + key + ')' };\n  if (count === 0)",
    ),
  ),
  'former-facts-stay': bug(
    'orders',
    'adds to an order what a replay reads in a body, and lets count what an older version read in it',
    edit('projection/project.ts', '(isKnown && eventIdOf(text) === eventId)', 'false'),
  ),
  'first-to-arrive-counts': bug(
    'orders',
    'lets the time of arrival decide between two events under one id',
    edit(
      'projection/layout.ts',
      '|| isSameDestination(row.reading, own.reading);',
      '|| row.record === own.record;',
    ),
  ),
  'conflicts-are-full-orders': bug(
    'orders',
    'takes an order that another transaction is writing for one that is full',
    edit('aws/commit.ts', 'itemTooLarge.test(Message) ?', "Message !== '' ?"),
    edit('aws/commit.ts', "  'TransactionConflict',\n", ''),
  ),
  'fact-lost-on-overflow': bug(
    'outcomes',
    'takes a fact that does not fit into the row of its order for one that is in it',
    edit(
      'projection/project.ts',
      'refused.has(text) && orderIds.includes(id)',
      'refused.has(text) && id === undefined',
    ),
  ),
  'act-without-its-order': bug(
    'operators',
    'stores what an operator did next to the event, and not next to the orders that it changed',
    edit('operations/act.ts', '...partitions, ...concerned.map((id) => orderKey(mode, id))', '...partitions'),
  ),
  'dry-run-writes': bug(
    'operators',
    'carries out what an operator only wanted to see',
    edit('operations/act.ts', 'isDryRun ? createPlannedStore', 'false ? createPlannedStore'),
  ),
  'unprocessed-keys-ignored': bug(
    'erased',
    'leaves out the orders that DynamoDB did not process in a BatchGetItem',
    edit('aws/table.ts', 'open = batches.flatMap(({ unprocessed }) => unprocessed);', 'open = [];'),
  ),
  'feed-of-status-only': bug(
    'feed',
    'publishes a change only when the status has changed',
    edit('order-feed/order-change.ts', 'JSON.stringify([status, attention, transactions]);', 'status;'),
  ),
  'failed-entries-ignored': bug(
    'feed',
    'ignores the entries that a PutEvents response of 200 refuses',
    edit(
      'aws/event-bus.ts',
      "return EventId === undefined ? (ErrorCode ?? 'NoEventId') : undefined;",
      'return undefined;',
    ),
  ),
  'count-of-live': bug(
    'waiting',
    'counts only what waits in live mode',
    edit('waiting-count/waiting-count.ts', "Mode[] = ['live', 'sandbox'];", "Mode[] = ['live'];"),
  ),
  'erased-body-comes-back': bug(
    'erased',
    'stores an erased body again when its event is delivered again',
    edit('consumer/redeliver.ts', '|| row.erased !== undefined) return false;', ') return false;'),
  ),
};

/** Every deliberate bug, by name; the simulation must find each of them within `seedsMax` seeds. */
export const bugs: Readonly<Record<string, Bug>> = { ...receivingBugs, ...orderBugs };
