/** Why an event is passed over, listed and left as it is, and what to do about it. */
export const leftSentences = {
  too_many_bodies:
    'More than 50 bodies came under its id. They can only be dismissed, one by one, with body_sha256.',
  unreadable: 'This version cannot read a row of it. Deploy the version that wrote it, or restore the row.',
  too_large:
    'It touches more rows than a transaction of DynamoDB takes (100 rows, 4 MB). Resolve its orders by hand.',
} as const;

export type LeftReason = keyof typeof leftSentences;
