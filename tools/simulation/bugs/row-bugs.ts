import { type Bug, edit } from './bug.ts';

/** Mistakes with full rows, and with rows in the compact form. */
export const rowBugs: readonly Bug[] = [
  {
    name: 'fact-lost-on-overflow',
    does: 'takes a fact that does not fit into the row of its order for one that is in it',
    edits: [edit('consumer/merge-facts.ts', 'else if (first !== undefined) refused.add(first);', '')],
  },
  {
    name: 'two-forms-are-two-facts',
    does: 'looks for a fact only in the form that it writes, and counts both forms of one that has two',
    edits: [
      edit(
        'aws/order-table.ts',
        'formsOf(fact).map((form, n) =>',
        '[compact ? storedFact(fact) : fact].map((form, n) =>',
      ),
      edit(
        'aws/order-table.ts',
        `[
  ...new Set((item[orderAttributes.facts]?.SS ?? []).map(factOfStored)),
];`,
        '(item[orderAttributes.facts]?.SS ?? []).map(factOfStored);',
      ),
    ],
  },
  {
    name: 'compact-row-waits',
    does: 'lets a compact row wait as it is, without what the list of what waits shows',
    edits: [
      edit(
        'aws/event-table.ts',
        'if (settlement.waiting !== undefined) await toPlainRow(client, { tableName, Key });',
        '',
      ),
    ],
  },
  {
    name: 'erasure-leaves-the-packed-body',
    does: 'removes the body of a row in the form of 0.2.0 only',
    edits: [
      edit('aws/erase-expression.ts', 'body_encoding, #body, #expiresAt', 'body_encoding, #expiresAt'),
      edit('aws/erase-expression.ts', "'#body': compactAttributes.body,", ''),
    ],
  },
];
