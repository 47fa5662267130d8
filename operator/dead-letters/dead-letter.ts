import { createClassify, receive } from '../../lambdas/consumer/receive.ts';
import { verifierTimeoutSeconds } from '../../lambdas/contract/limits.ts';
import { decodeBody, messageAttributes } from '../../lambdas/contract/queue-message.ts';
import { createMeaningOf } from '../../lambdas/domain/assumptions.ts';
import type { Message } from '../aws/queues.ts';
import type { DeadLetterGroup, DeadLetterSummary } from '../documents.ts';
import { readEventBody } from '../event-body.ts';
import type { Retry } from './retries.ts';

/** A message of the dead-letter queue, and why it is there. */
export interface DeadLetter {
  readonly summary: DeadLetterSummary;
  readonly attributes: Readonly<Record<string, string>>;
  /** The body of the webhook; `undefined` when the message holds none. */
  readonly body: Uint8Array | undefined;
  /** The body of the message. */
  readonly text: string;
}

/**
 * Oldest first, which numbers them the same way in each command. Without `retries` the consumer's log was not
 * searched.
 */
export function readDeadLetters(
  messages: readonly Message[],
  retries: readonly Retry[] | undefined,
): readonly DeadLetter[] {
  const errors = retries && new Map(retries.map(({ messageId, error }) => [messageId, error]));
  return messages
    .map((message) => readDeadLetter(message, errors))
    .toSorted(({ summary: a }, { summary: b }) => {
      const [first, second] = [a, b].map((one) => `${waitsSince(one)} ${one.message_id}`);
      return `${first}` < `${second}` ? -1 : 1;
    })
    .map((letter, index) => ({ ...letter, summary: { ...letter.summary, number: index + 1 } }));
}

/** Since when the event waits; ISO 8601. */
export const waitsSince = ({ received_at, sent_at }: DeadLetterSummary): string => received_at ?? sent_at;

/** Whether the consumer can read a message does not depend on the meanings of the stack. */
const classify = createClassify(createMeaningOf());

function readDeadLetter(message: Message, errors: ReadonlyMap<string, string> | undefined): DeadLetter {
  const { MessageId = '', Body = '', MessageAttributes = {}, Attributes = {} } = message;
  const attributes = Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue]),
  );
  // A redrive sends a message again.
  const sentAt = Number(Attributes.SentTimestamp ?? 0);
  const time = Date.parse(attributes[messageAttributes.receivedAt] ?? '');
  const receivedAt = Number.isNaN(time) ? undefined : time;
  const body = decodeBody(Body);
  const event = body && readEventBody(body);
  const malformed = receive(recordOf(MessageId, Body, attributes), classify) === undefined;
  const guess = malformed ? 'message_malformed' : errors === undefined ? 'unknown' : 'not_logged';
  return {
    summary: {
      number: 0,
      message_id: MessageId,
      error: errors?.get(MessageId) ?? guess,
      event_id: event?.eventId ?? null,
      event_name: event?.eventName ?? null,
      order_id: event?.orderId ?? null,
      mode: attributes['mode'] ?? null,
      received_at: receivedAt === undefined ? null : new Date(receivedAt).toISOString(),
      sent_at: new Date(sentAt).toISOString(),
      // The verifier sends a message before it responds, so within its timeout.
      redriven_before: receivedAt !== undefined && sentAt - receivedAt > verifierTimeoutSeconds * 1_000,
      malformed,
    },
    attributes,
    body,
    text: Body,
  };
}

const recordOf = (messageId: string, body: string, attributes: Readonly<Record<string, string>>) => ({
  messageId,
  body,
  messageAttributes: Object.fromEntries(
    Object.entries(attributes).map(([name, stringValue]) => [name, { stringValue, dataType: 'String' }]),
  ),
});

/** The largest group first. */
export const groupByError = (letters: readonly DeadLetter[]): readonly DeadLetterGroup[] =>
  [...Map.groupBy(letters, ({ summary }) => summary.error)]
    .map(([error, group]) => ({
      error,
      meaning: meaningOf(error),
      messages: group.map(({ summary }) => summary),
    }))
    .toSorted((a, b) => b.messages.length - a.messages.length || (a.error < b.error ? -1 : 1));

const meanings: Readonly<Record<string, string>> = {
  message_malformed: 'the verifier of this version did not write the message; the consumer cannot read it',
  seal_unknown: 'the seal secret could not be read, so no message could be trusted',
  event_not_recorded: 'the event could not be stored',
  event_not_applied: 'the event is stored, but its transaction or order could not be updated',
  event_busy: 'the rows of the event changed with every attempt',
  event_too_large: 'what the event changes does not fit into one transaction; see too_large in the runbook',
  not_logged: 'the consumer logged no failed attempt: it crashed or timed out on it, or the log has expired',
  unknown: "the consumer's log could not be searched",
};

/** A sentence for an operator; empty for an error that a later version logs. */
export const meaningOf = (error: string): string => meanings[error.split(' ')[0] ?? ''] ?? '';
