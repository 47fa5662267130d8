import { ageOf } from '../../operator/age.ts';
import { waitsSince } from '../../operator/dead-letters/dead-letter.ts';
import { openDeadLetters } from '../../operator/dead-letters/open.ts';
import type { DeadLetters } from '../../operator/documents.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { createTarget } from '../target/target.ts';

export async function openQueue(session: Session, options: CommonOptions) {
  const stack = await createTarget(session, options).stack();
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

export function printGroups({ terminal, now }: Session, { groups, seen, depth }: DeadLetters): void {
  if (seen < depth) terminal.print(`${seen} of about ${depth} messages were seen.`);
  for (const { error, meaning, messages } of groups) {
    const title = `${messages.length} × ${error}${meaning === '' ? '' : `: ${meaning}`}`;
    terminal.print(terminal.style('bold', title));
    terminal.table(
      ['NUMBER', 'AGE', 'EVENT', 'EVENT ID', 'ORDER', 'MODE', 'REDRIVEN'],
      messages.map((one) => [
        String(one.number),
        ageOf(waitsSince(one), now()),
        one.event_name ?? '-',
        one.event_id ?? '-',
        one.order_id ?? '-',
        one.mode ?? '-',
        one.redriven_before ? 'before' : '',
      ]),
    );
  }
}
