import { setTimeout as pause } from 'node:timers/promises';
import { lockMilliseconds, lockPollMilliseconds } from '../limits.ts';
import { CommandError } from '../outcome.ts';

const sqliteBusy = 5;

/**
 * Runs `work` while no other process runs one under the lock of the same file. It is SQLite's lock on an
 * otherwise empty file, which the operating system drops with the process, also after `kill -9`.
 */
export async function withProcessLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const release = await take(file);
  try {
    return await work();
  } finally {
    release();
  }
}

async function take(file: string): Promise<() => void> {
  const { DatabaseSync } = await import('node:sqlite');
  const until = performance.now() + lockMilliseconds;
  while (performance.now() < until) {
    // Waiting is done here and not in SQLite, where it would stop the whole process.
    const lock = new DatabaseSync(file, { timeout: 0 });
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return () => lock.close();
    } catch (error) {
      lock.close();
      if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
    }
    await pause(lockPollMilliseconds);
  }
  const seconds = lockMilliseconds / 1_000;
  throw new CommandError('failed', `Another command has been renewing the same token for ${seconds} s.`);
}
