import type { Finding, StatusDocument } from '../documents.ts';
import type { Status } from './read-status.ts';

/** The status as JSON. A part that could not be read is `null`. */
export function statusDocument(
  { alarms, queues, events, heartbeat, unknown }: Status,
  findings: readonly Finding[],
): StatusDocument {
  return {
    alarms:
      alarms === undefined
        ? null
        : { count: alarms.count, without_data: alarms.withoutData, deleted: alarms.deleted },
    firing: alarms === undefined ? null : findings,
    queues: queues ?? null,
    waiting: events?.waiting ?? null,
    last_event_at: events?.last_event_at ?? null,
    last_heartbeat_at: heartbeat ?? null,
    unknown: unknown.map(({ part, error }) => ({
      part,
      message: error.message,
      not_allowed: error.failure === 'refused',
    })),
  };
}
