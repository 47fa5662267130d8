import type { WaitingEvent } from '@payhooks/order-client';
import type { Mode } from '../../lambdas/domain/signature.ts';
import { printable, screenCharacters, wrapped } from '../../operator/printable.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import type { Terminal } from '../terminal.ts';

/** Prints each event that waits, with its reason and the next command. */
export function printWaiting(
  terminal: Terminal,
  { stack, mode }: { readonly stack: Stack; readonly mode: Mode },
  waiting: readonly WaitingEvent[],
): void {
  const sandbox = mode === 'sandbox' ? ' --sandbox' : '';
  for (const { event_id, event_name, kind, reason, received_at } of waiting) {
    const why = reason === null ? kind : `${kind}, ${reason}`;
    const event = `${printable(event_name)} ${printable(event_id)}`;
    for (const line of wrapped(`waits: ${event} (${why}), received ${received_at}`, screenCharacters))
      terminal.print(terminal.style('yellow', line));
    const command = `payhooks events show ${shellQuoted(event_id)}${sandbox}`;
    terminal.print(`  → ${nextCommand(stack, command)}`);
  }
}
