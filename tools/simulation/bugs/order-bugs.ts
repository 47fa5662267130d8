import { type Bug, edit } from './bug.ts';

/** Mistakes between the row of an event, its orders and their readers. */
export const orderBugs: readonly Bug[] = [
  {
    name: 'no-merge-of-a-duplicate',
    does: 'merges nothing when the row of an event exists: a crash had left it without its merge',
    edits: [
      edit(
        'consumer/record-event.ts',
        'outcome: row.outcome, fresh, routes, own:',
        'outcome: row.outcome, fresh, routes: fresh ? routes : [], own:',
      ),
    ],
  },
  {
    name: 'errors-are-permanent',
    does: 'takes every error of DynamoDB for an order that is full',
    edits: [
      edit('aws/dynamodb.ts', " || error.name !== 'ValidationException') return error;", ') return error;'),
      edit('aws/dynamodb.ts', 'if (!itemTooLarge.test(error.message)) return error;', ''),
    ],
  },
  {
    name: 'first-to-arrive-counts',
    does: 'lets the time of arrival decide between two events under one id',
    edits: [
      edit(
        'consumer/routes.ts',
        'if (first !== undefined && isSameDestination(first, row)) return routes;',
        '',
      ),
    ],
  },
  {
    name: 'sequence-by-add',
    does: 'counts the facts of an order with ADD of a number, which a repeated request adds twice',
    edits: [
      edit('aws/order-table.ts', '`ADD #facts :facts SET ', '`ADD #facts :facts, revision :added SET '),
      edit('aws/order-table.ts', "ConditionExpression: missing.join(' OR '),", ''),
      edit(
        'aws/order-table.ts',
        '...Object.fromEntries(forms.flat().map(([name, form]) => [name, text(form)])),',
        "':added': { N: String(facts.length) },",
      ),
      edit(
        'aws/order-table.ts',
        'return { order, facts: factsOf(item),',
        "return { order, revision: Number(item['revision']?.N), facts: factsOf(item),",
      ),
      edit('order-query/order-view.ts', 'sequence: row.facts.length,', 'sequence: (row as any).revision,'),
    ],
  },
  {
    name: 'stamp-before-the-write',
    does: 'puts the time at which the instance started into the index of changes',
    edits: [
      edit(
        'consumer/handler.ts',
        'now: () => new Date(),',
        'now: (startedAt => () => startedAt)(new Date()),',
      ),
    ],
  },
  {
    name: 'unprocessed-keys-ignored',
    does: 'leaves out the orders that DynamoDB did not process in a BatchGetItem',
    edits: [
      edit('aws/get-items.ts', 'open = batches.flatMap(({ unprocessed }) => unprocessed);', 'open = [];'),
    ],
  },
  {
    name: 'feed-of-status-only',
    does: 'publishes a change only when the status has changed',
    edits: [
      edit(
        'order-feed/order-change.ts',
        'JSON.stringify([status, attention, transactions]);',
        'JSON.stringify([status]);',
      ),
    ],
  },
  {
    name: 'failed-entries-ignored',
    does: 'ignores the entries that a PutEvents response of 200 refuses',
    edits: [
      edit(
        'aws/event-bus.ts',
        "return EventId === undefined ? (ErrorCode ?? 'NoEventId') : undefined;",
        'return undefined;',
      ),
    ],
  },
  {
    name: 'erasure-removes-the-fact',
    does: 'removes with a body what it says about money',
    edits: [
      edit('aws/erase-expression.ts', 'if (fact !== undefined) set.push', 'if (false) set.push'),
      edit(
        'aws/erase-expression.ts',
        'REMOVE body, body_encoding, #body,',
        'REMOVE body, body_encoding, fact, #body,',
      ),
      edit('aws/erase-expression.ts', '...(fact === undefined ? {} :', '...(true ? {} :'),
    ],
  },
  {
    name: 'replay-applies-twice',
    does: 'gives a replayed event an id of its own, so that it counts again',
    edits: [
      edit(
        'operations/read-again.ts',
        'const event = { ...parsed.event, order };',
        "const event = { ...parsed.event, order, id: parsed.event.id + ' again' };",
      ),
    ],
  },
  {
    name: 'admission-is-live',
    does: 'admits every body in live mode',
    edits: [
      edit('operations/admission.ts', 'const messageOf = ({ mode, keyId,', 'const messageOf = ({ keyId,'),
      edit(
        'operations/admission.ts',
        '  body,\n  mode,\n  keyId,',
        "  body,\n  mode: 'live' as const,\n  keyId,",
      ),
    ],
  },
];
