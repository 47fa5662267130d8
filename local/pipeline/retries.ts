import { parseObject } from '../live-log/entry.ts';

/** A failed attempt, with the names that the consumer logs. */
interface Retry {
  readonly message_id: string;
  readonly reason: string;
  readonly error_name: string | null;
  readonly at: string;
}

const messagesMax = 2_000;

/** The latest failed attempt of each message, which `payhooks dlq` finds in a log group on AWS. */
export function createRetries() {
  const latest = new Map<string, Retry>();
  return {
    onLine(line: string): void {
      if (!line.includes('record will be retried')) return;
      const { message_id: id, reason, error_name: name, timestamp } = parseObject(line) ?? {};
      if (typeof id !== 'string') return;
      latest.delete(id);
      latest.set(id, {
        message_id: id,
        reason: typeof reason === 'string' ? reason : 'unknown',
        error_name: typeof name === 'string' ? name : null,
        at: typeof timestamp === 'string' ? timestamp : new Date().toISOString(),
      });
      const [oldest = ''] = latest.keys();
      if (latest.size > messagesMax) latest.delete(oldest);
    },
    list: (): readonly Retry[] => [...latest.values()],
  };
}
