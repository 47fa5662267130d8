import { createHash } from 'node:crypto';
import { type DeadLetter, meaningOf } from '../../operator/dead-letters/dead-letter.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { summaryOf } from './list.ts';
import { look, openQueue } from './open.ts';

interface ShowOptions extends CommonOptions {
  readonly body?: true;
}

export async function showDeadLetter(session: Session, id: string, options: ShowOptions): Promise<ExitCode> {
  const { terminal } = session;
  const open = await openQueue(session, options);
  const { letters } = await look(session, open);
  const letter = find(letters, id, nextCommand(open.stack, 'payhooks dlq list'));
  const { attributes, body } = letter;
  const details = {
    ...summaryOf(letter),
    key_id: attributes['key_id'] ?? null,
    request_id: attributes['request_id'] ?? null,
    bytes: body?.length ?? null,
    body_sha256: body === undefined ? null : createHash('sha256').update(body).digest('hex'),
  };
  if (options.json) {
    terminal.json({ ...details, ...(options.body && { body_base64: base64Of(letter) }) });
    return exitCodes.done;
  }
  const meaning = meaningOf(letter.error);
  for (const [name, value] of Object.entries(details)) {
    const text = name === 'error' && meaning !== '' ? `${value}: ${meaning}` : String(value ?? '-');
    terminal.print(`${name.padEnd(15)} ${printable(text, 200)}`);
  }
  if (options.body) printBody(session, letter);
  return exitCodes.done;
}

function find(letters: readonly DeadLetter[], id: string, listCommand: string): DeadLetter {
  const byNumber = /^\d{1,6}$/.test(id) ? letters[Number(id) - 1] : undefined;
  const found = byNumber ?? letters.find(({ messageId, event }) => id === messageId || id === event?.eventId);
  if (found !== undefined) return found;
  if (letters.length === 0) throw new CommandError('failed', 'The dead-letter queue is empty.');
  const message = `${printable(id)} is not among the ${letters.length} messages that were seen.`;
  throw new CommandError('failed', `${message} To list them: ${listCommand}`);
}

const base64Of = ({ body, text }: DeadLetter): string => Buffer.from(body ?? text).toString('base64');

/** A message that the verifier did not write is shown as it is. */
function printBody({ terminal }: Session, { body, text }: DeadLetter): void {
  terminal.print('');
  for (const line of layoutOf(body === undefined ? text : Buffer.from(body).toString('utf8'))) {
    terminal.print(printable(line, Number.POSITIVE_INFINITY));
  }
}

function layoutOf(text: string): readonly string[] {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).split('\n');
  } catch {
    return text.split('\n');
  }
}
