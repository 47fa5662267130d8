import { createHash } from 'node:crypto';
import type { LiveLogEntry } from '../live-log/entry.ts';
import type { LiveLog } from '../live-log/live-log.ts';

/** Resolves with the consumer's log line about a body: a duplicate leaves no other trace. */
export function watchHandling(body: Uint8Array, liveLog: Pick<LiveLog, 'subscribe'>) {
  const sha256 = createHash('sha256').update(body).digest('hex');
  const { promise: handled, resolve } = Promise.withResolvers<LiveLogEntry>();
  const unsubscribe = liveLog.subscribe((entry) => {
    if (entry.message === 'event handled' && entry.fields.body_sha256 === sha256) resolve(entry);
  });
  return { handled, [Symbol.dispose]: unsubscribe };
}
