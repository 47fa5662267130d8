import { createHash } from 'node:crypto';
import { type DeadLetter, meaningOf } from '../../operator/dead-letters/dead-letter.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { printBody } from '../terminal.ts';
import { openQueue } from './list.ts';

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
