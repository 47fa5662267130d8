import type { Mode } from '@payhooks/order-client';
import type { StackInfo } from '../../contract.ts';
import { type Query, withQuery } from './api.ts';

/** `mode` defaults to live in every address, so that links to live money stay short. */
const inMode = (mode: Mode): Query => ({ mode: mode === 'live' ? undefined : mode });
/** Lone surrogates have no encoding; no stored id has any. */
const segment = (id: string): string => encodeURIComponent(id.toWellFormed());

/** A browser takes `.` and `..` for steps of a path, even encoded: such an id, and `~.`, gets a `~`. */
const pageSegment = (id: string): string => segment(id.replace(/^~*\.{1,2}$/, '~$&'));

/** The id that this decoded part of an address stands for. */
export const idOf = (part: string): string => part.replace(/^~(~*\.{1,2})$/, '$1');

/** Addresses of the page. Ids are percent-encoded: they may contain any character. */
export const href = {
  overview: (mode: Mode) => withQuery('/', inMode(mode)),
  events: (mode: Mode, filters: Query = {}) => withQuery('/console/events', { ...inMode(mode), ...filters }),
  refused: (mode: Mode) => withQuery('/console/refused', inMode(mode)),
  orders: (mode: Mode, filters: Query = {}) => withQuery('/console/orders', { ...inMode(mode), ...filters }),
  order: (id: string, mode: Mode) => withQuery(`/console/orders/${pageSegment(id)}`, inMode(mode)),
  event: (id: string, mode: Mode) => withQuery(`/console/events/${pageSegment(id)}`, inMode(mode)),
  transaction: (id: string, mode: Mode) =>
    withQuery(`/console/transactions/${pageSegment(id)}`, inMode(mode)),
  waiting: (mode: Mode) => withQuery('/console/waiting', inMode(mode)),
  approvals: (mode: Mode) => withQuery('/console/approvals', inMode(mode)),
  alarms: (mode: Mode) => withQuery('/console/alarms', inMode(mode)),
  alarm: (name: string, mode: Mode) => withQuery(`/console/alarms/${segment(name)}`, inMode(mode)),
  search: (id: string, mode: Mode) => withQuery('/console/search', { ...inMode(mode), q: id }),
  laboratory: (mode: Mode) => withQuery('/console/laboratory', inMode(mode)),
} as const;

/** Starts the server of the page again, where it was. */
export function startCommand({ kind, stack_option: option }: StackInfo, port: string): string {
  if (kind === 'local') return port === '4800' ? 'npm start' : `npm start -- --port ${port}`;
  return `npx payhooks console ${option}${port === '4805' ? '' : ` --port ${port}`}`;
}

/** Paths of the order query and the operations API. */
export const apiPath = {
  order: (id: string) => `/orders/${segment(id)}`,
  orderEvents: (id: string) => `/orders/${segment(id)}/events`,
  event: (id: string) => `/events/${segment(id)}`,
  eventRecords: (id: string) => `/operations/events/${segment(id)}`,
  eventBodies: (id: string) => `/operations/bodies/events/${segment(id)}`,
  transaction: (id: string) => `/transactions/${segment(id)}`,
} as const;

/** Whether a path can be decoded. A reader may have typed an id such as `100%`. */
export function isWellEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
