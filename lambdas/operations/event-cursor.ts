import { FieldError } from './act-request.ts';

/** The cursor of an act on the events of an order: the id of the last one that it handled. */
export const cursorAfter = (eventId = ''): string => Buffer.from(eventId).toString('base64url');

/** Throws FieldError. */
export function readEventCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const eventId = Buffer.from(cursor, 'base64url').toString();
  if (cursorAfter(eventId) === cursor) return eventId;
  throw new FieldError('cursor', cursor, 'the unchanged next_cursor of an earlier response');
}
