import { constants } from 'node:os';
import type { Session } from '../session.ts';
import type { TemporaryKey } from './temporary-key.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Somebody who is tired of waiting, or closes the window, ends the process, and no `finally` runs. The first
 * signal takes the key out and ends the process then; a second one does not interrupt that. Gives back what
 * undoes it.
 */
export function guardSignals({ terminal }: Session, key: TemporaryKey): () => void {
  let isEnding = false;
  const end = (signal: NodeJS.Signals): void => {
    terminal.tell(`${isEnding ? 'Still taking' : 'Taking'} the temporary key ${key.id} out …`);
    if (isEnding) return;
    isEnding = true;
    key
      .takeOut()
      .then(() => terminal.tell('It is out.'))
      .catch((error: Error) => terminal.tell(`error: ${error.message}`))
      // As a shell has it.
      .finally(() => process.exit(128 + constants.signals[signal]));
  };
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
