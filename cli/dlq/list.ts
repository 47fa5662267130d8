import { age } from '../../operator/age.ts';
import {
  type DeadLetter,
  groupByError,
  meaningOf,
  waitsSince,
} from '../../operator/dead-letters/dead-letter.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { look, openQueue, type Seen } from './open.ts';

export async function listDeadLetters(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal } = session;
  const open = await openQueue(session, options);
  const seen = await look(session, open);
  if (options.json) {
    terminal.json(deadLetterDocument(seen));
  } else if (seen.depth === 0) {
    terminal.print(terminal.style('green', 'The dead-letter queue is empty.'));
  } else {
    printGroups(session, seen);
    terminal.note(`To see one, by its number:\n→ ${nextCommand(open.stack, 'payhooks dlq show 1')}`);
    terminal.note(`Once the cause is removed:\n→ ${nextCommand(open.stack, 'payhooks dlq redrive')}`);
  }
  return exitCodes.done;
}

export function printGroups({ terminal, now }: Session, { letters, depth }: Seen): void {
  if (letters.length < depth) terminal.print(`${letters.length} of about ${depth} messages were seen.`);
  for (const { error, letters: group } of groupByError(letters)) {
    const meaning = meaningOf(error);
    const title = `${group.length} × ${error}${meaning === '' ? '' : `: ${meaning}`}`;
    terminal.print(terminal.style('bold', title));
    terminal.table(
      ['NUMBER', 'AGE', 'EVENT', 'EVENT ID', 'ORDER', 'MODE', 'REDRIVEN'],
      group.map((letter) => [
        String(letters.indexOf(letter) + 1),
        age(now() - waitsSince(letter)),
        letter.event?.eventName ?? '-',
        letter.event?.eventId ?? '-',
        letter.event?.orderId ?? '-',
        letter.attributes['mode'] ?? '-',
        letter.wasRedriven ? 'before' : '',
      ]),
    );
  }
}

/** The messages by their error, as JSON. No customer data. */
export function deadLetterDocument({ letters, depth }: Seen) {
  const groups = groupByError(letters).map(({ error, letters: group }) => ({
    error,
    meaning: meaningOf(error),
    messages: group.map((letter) => ({ number: letters.indexOf(letter) + 1, ...summaryOf(letter) })),
  }));
  return { depth, seen: letters.length, groups };
}

/** No customer data. */
export function summaryOf(letter: DeadLetter) {
  const { event, attributes, receivedAt } = letter;
  return {
    message_id: letter.messageId,
    error: letter.error,
    event_id: event?.eventId ?? null,
    event_name: event?.eventName ?? null,
    order_id: event?.orderId ?? null,
    mode: attributes['mode'] ?? null,
    received_at: receivedAt === undefined ? null : new Date(receivedAt).toISOString(),
    sent_at: new Date(letter.sentAt).toISOString(),
    redriven_before: letter.wasRedriven,
    malformed: letter.isMalformed,
  };
}
