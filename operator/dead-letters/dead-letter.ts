import type { Message } from '@aws-sdk/client-sqs';
import { createClassify } from '../../lambdas/consumer/classify.ts';
import { receive } from '../../lambdas/consumer/receive.ts';
import { verifierTimeoutSeconds } from '../../lambdas/contract/limits.ts';
import { decodeBody, messageAttributes } from '../../lambdas/contract/queue-message.ts';
import { createMeaningOf } from '../../lambdas/domain/assumptions.ts';
import { type EventBody, readEventBody } from '../event-body.ts';
import type { Retry } from './retry.ts';

/** A message of the dead-letter queue, and why it is there. */
export interface DeadLetter {
  readonly messageId: string;
  /** Milliseconds since the epoch; a redrive sends a message again. */
  readonly sentAt: number;
  /** When the verifier received the webhook; `undefined` when the message does not say it. */
  readonly receivedAt: number | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  /** The body of the webhook; `undefined` when the message holds none. */
  readonly body: Uint8Array | undefined;
  /** The body of the message. */
  readonly text: string;
  readonly event: EventBody | undefined;
  /** The consumer of this version can never read it: the verifier did not write it. */
  readonly isMalformed: boolean;
  readonly wasRedriven: boolean;
  /** Messages with the same error are one group. */
  readonly error: string;
}

/** Oldest first, which numbers them the same way in each command. */
export function readDeadLetters(
  messages: readonly Message[],
  retries: readonly Retry[] | undefined,
): readonly DeadLetter[] {
  const byId = new Map(retries?.map((retry) => [retry.messageId, retry]));
  const known = retries !== undefined;
  return messages
    .map((message) => readDeadLetter(message, { known, retry: byId.get(message.MessageId ?? '') }))
    .toSorted((a, b) => waitsSince(a) - waitsSince(b) || (a.messageId < b.messageId ? -1 : 1));
}

/** Since when the event waits. */
export const waitsSince = ({ receivedAt, sentAt }: DeadLetter): number => receivedAt ?? sentAt;

interface Logged {
  /** Whether the consumer's log was searched. */
  readonly known: boolean;
  readonly retry: Retry | undefined;
}

/** Whether the consumer can read a message does not depend on the meanings of the stack. */
const classify = createClassify(createMeaningOf());

function readDeadLetter(message: Message, logged: Logged): DeadLetter {
  const { MessageId = '', Body = '', MessageAttributes = {}, Attributes = {} } = message;
  const attributes = Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue]),
  );
  const sentAt = Number(Attributes.SentTimestamp ?? 0);
  const time = Date.parse(attributes[messageAttributes.receivedAt] ?? '');
  const receivedAt = Number.isNaN(time) ? undefined : time;
  const body = decodeBody(Body);
  const isMalformed = receive(recordOf(MessageId, Body, attributes), classify) === undefined;
  return {
    messageId: MessageId,
    ...{ sentAt, receivedAt, attributes, body, isMalformed },
    text: Body,
    event: body && readEventBody(body),
    // The verifier sends a message before it responds, so within its timeout.
    wasRedriven: receivedAt !== undefined && sentAt - receivedAt > verifierTimeoutSeconds * 1_000,
    error: errorOf(isMalformed, logged),
  };
}

const recordOf = (messageId: string, body: string, attributes: Readonly<Record<string, string>>) => ({
  messageId,
  body,
  messageAttributes: Object.fromEntries(
    Object.entries(attributes).map(([name, stringValue]) => [name, { stringValue, dataType: 'String' }]),
  ),
});

function errorOf(isMalformed: boolean, { known, retry }: Logged): string {
  if (retry !== undefined) return nameOf(retry);
  if (isMalformed) return 'message_malformed';
  return known ? 'not_logged' : 'unknown';
}

export const nameOf = ({ reason, errorName }: Retry): string =>
  errorName === undefined ? reason : `${reason} (${errorName})`;

export interface ErrorGroup {
  readonly error: string;
  readonly letters: readonly DeadLetter[];
}

/** The largest group first. */
export function groupByError(letters: readonly DeadLetter[]): readonly ErrorGroup[] {
  return [...Map.groupBy(letters, ({ error }) => error)]
    .map(([error, group]) => ({ error, letters: group }))
    .toSorted((a, b) => b.letters.length - a.letters.length || (a.error < b.error ? -1 : 1));
}

const meanings: Readonly<Record<string, string>> = {
  message_malformed: 'the verifier of this version did not write the message; the consumer cannot read it',
  event_not_recorded: 'the event could not be stored',
  event_not_applied: 'the event is stored, but its transaction or order could not be updated',
  event_busy: 'the rows of the event changed with every attempt',
  event_too_large: 'what the event changes does not fit into one transaction; see too_large in the runbook',
  not_logged: 'the consumer logged no failed attempt: it crashed or timed out on it, or the log has expired',
  unknown: "the consumer's log could not be searched",
};

/** A sentence for an operator; empty for an error that a later version logs. */
export const meaningOf = (error: string): string => meanings[error.split(' ')[0] ?? ''] ?? '';
