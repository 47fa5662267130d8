import { setTimeout as pause } from 'node:timers/promises';
import type { Wait } from '../../operator/acts/act.ts';
import { printable } from '../../operator/printable.ts';
import { busySentence } from '../../operator/when-free.ts';
import type { Terminal } from '../terminal.ts';

/** Waits for what a consumer may be working on; the signal ends a wait early. */
export const waitFor =
  (terminal: Terminal, signal?: AbortSignal): Wait =>
  async (seconds, subject) => {
    terminal.note(busySentence(seconds, printable(subject)));
    await pause(seconds * 1_000, undefined, signal && { signal }).catch(() => {});
  };
