import type { FeedMessage } from '../documents.ts';
import { feedMessagesMax, logQueryCharactersMax } from '../limits.ts';
import { CommandError } from '../operator-error.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { type FoundLine, searchLogs } from './log-search.ts';

interface FeedLogQuery {
  readonly orderId: string;
  readonly mode: 'live' | 'sandbox';
  /** Milliseconds since the epoch. */
  readonly since: number;
}

const published = 'order change published';
const messages = [published, 'order change not published'];
const shownFields = [
  ...(['@timestamp', 'message', 'dedupe_id', 'sequence'] as const),
  ...(['previous_status', 'order_status', 'error_code'] as const),
] as const;

/** Searches the log of the order feed with CloudWatch Logs Insights; the latest lines, oldest first. */
export async function searchFeedLog(stack: Stack, query: FeedLogQuery): Promise<readonly FeedMessage[]> {
  const queryString = queryOf(query);
  if (queryString.length > logQueryCharactersMax) {
    const length = query.orderId.length;
    throw new CommandError('wrongUsage', `The order id of ${length} characters is too long for a search.`);
  }
  const lines = await searchLogs({
    region: stack.region,
    logGroupNames: [outputOf(stack, 'OrderFeedLogGroup')],
    since: query.since,
    queryString,
  });
  // An imitation of AWS may ignore the filters, and then these are lines of anything.
  const isFound = ({ message = '' }: FoundLine): boolean => messages.includes(message);
  return lines.filter(isFound).map(messageOf).toReversed();
}

const queryOf = ({ orderId, mode }: FeedLogQuery): string =>
  [
    `fields ${shownFields.join(', ')}`,
    `| filter message in ${JSON.stringify(messages)}`,
    `| filter order_id in ${JSON.stringify([orderId])}`,
    `| filter mode in ${JSON.stringify([mode])}`,
    '| sort @timestamp desc',
    `| limit ${feedMessagesMax}`,
  ].join('\n');

const messageOf = (fields: FoundLine): FeedMessage => ({
  id: fields['dedupe_id'] ?? null,
  // UTC in the form 2026-11-21 14:29:27.123
  at: `${fields['@timestamp']?.replace(' ', 'T')}Z`,
  is_published: fields['message'] === published,
  sequence: fields['sequence'] === undefined ? null : Number(fields['sequence']),
  previous_status: fields['previous_status'] ?? null,
  status: fields['order_status'] ?? null,
  error_code: fields['error_code'] ?? null,
  body: null,
});
