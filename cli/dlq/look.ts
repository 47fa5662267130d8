import { createHash } from 'node:crypto';
import { type DeadLetter, meaningOf, waitsSince } from '../../operator/dead-letters/dead-letter.ts';
import { openDeadLetters } from '../../operator/dead-letters/open.ts';
import type { DeadLetters } from '../../operator/documents.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { printBody } from '../terminal.ts';
import { listedTime } from '../times.ts';

export async function openQueue(session: Session, options: CommonOptions) {
  const stack = await session.stack(options);
  return { stack, queue: await openDeadLetters(stack, { env: session.env, ...session.terminal }) };
}

export async function listDeadLetters(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal } = session;
  const { stack, queue } = await openQueue(session, options);
  const { letters: _, ...document } = await queue.look();
  return show(session, options, {
    document,
    print() {
      if (document.depth === 0) return printEmpty(session);
      printGroups(session, document);
      terminal.note(`To see one, by its number:\n→ ${nextCommand(stack, 'payhooks dlq show 1')}`);
      terminal.note(`Once the cause is removed:\n→ ${nextCommand(stack, 'payhooks dlq redrive')}`);
    },
  });
}

export const printEmpty = ({ terminal }: Session): void =>
  terminal.print(terminal.style('green', 'The dead-letter queue is empty.'));

export function printGroups(session: Session, { groups, seen, depth }: DeadLetters): void {
  const { terminal } = session;
  if (seen < depth) terminal.print(`${seen} of about ${depth} messages were seen.`);
  for (const { error, meaning, messages } of groups) {
    const title = `${messages.length} × ${error}${meaning === '' ? '' : `: ${meaning}`}`;
    terminal.print(terminal.style('bold', title));
    terminal.table(
      ['NUMBER', 'SINCE', 'EVENT', 'EVENT ID', 'ORDER', 'MODE', 'REDRIVEN'],
      messages.map((one) => [
        String(one.number),
        listedTime(session, waitsSince(one)),
        one.event_name ?? '-',
        one.event_id ?? '-',
        one.order_id ?? '-',
        one.mode ?? '-',
        one.redriven_before ? 'before' : '',
      ]),
    );
  }
}

interface ShowOptions extends CommonOptions {
  readonly body?: true;
}

export async function showDeadLetter(session: Session, id: string, options: ShowOptions): Promise<ExitCode> {
  const { terminal } = session;
  const { stack, queue } = await openQueue(session, options);
  const { letters } = await queue.look();
  const { summary, attributes, body, text } = find(letters, id, nextCommand(stack, 'payhooks dlq list'));
  const { number: _, ...named } = summary;
  const details = {
    ...named,
    key_id: attributes['key_id'] ?? null,
    request_id: attributes['request_id'] ?? null,
    bytes: body?.length ?? null,
    body_sha256: body === undefined ? null : createHash('sha256').update(body).digest('hex'),
  };
  // A message that the verifier did not write is shown as it is.
  const bytes = Buffer.from(body ?? text);
  return show(session, options, {
    document: { ...details, ...(options.body && { body_base64: bytes.toString('base64') }) },
    print() {
      const meaning = meaningOf(named.error);
      for (const [name, value] of Object.entries(details)) {
        const shown = name === 'error' && meaning !== '' ? `${value}: ${meaning}` : String(value ?? '-');
        terminal.print(`${name.padEnd(15)} ${printable(shown, 200)}`);
      }
      if (options.body) printBody(terminal, bytes);
    },
  });
}

function find(letters: readonly DeadLetter[], id: string, listCommand: string): DeadLetter {
  const found =
    letters.find(({ summary }) => id === String(summary.number)) ??
    letters.find(({ summary }) => id === summary.message_id || id === summary.event_id);
  if (found !== undefined) return found;
  const message = `${printable(id)} is not among the ${letters.length} messages that were seen.`;
  throw new CommandError('failed', `${message} To list them: ${listCommand}`);
}
