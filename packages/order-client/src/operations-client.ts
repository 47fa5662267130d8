import { type CallOptions, connect, given, type OrderClientOptions, type ReadOptions } from './connection.ts';
import { EventNotFoundError } from './errors.ts';
import type * as api from './openapi-types.ts';
import type { ModeOptions } from './order-client.ts';

export type WaitingOptions = ReadOptions<'/operations/waiting'>;
export type BodiesOptions = ReadOptions<'/operations/bodies/events/{event_id}'>;

/**
 * What operators see and do. Every method throws an `OrderClientError`, or the reason of its signal; an act
 * that the state forbids throws ConflictError. A fault that may pass repeats acts like reads: a repetition
 * changes nothing more.
 */
export interface OperationsClient {
  /** One page of what waits for a person; everything without options. */
  waiting(options?: WaitingOptions): Promise<api.WaitingList>;
  waitingCounts(options?: CallOptions): Promise<api.WaitingCounts>;
  /** Every body under an event id, without its bytes. Throws EventNotFoundError. */
  event(id: string, options?: ModeOptions): Promise<api.EventRecords>;
  /** With their bytes: holds customer data. Throws EventNotFoundError. */
  bodies(id: string, options?: BodiesOptions): Promise<api.EventBodies>;
  /** A body that is no event, by its hash: may hold customer data. */
  unrecognisedBody(bodySha256: string, options?: ModeOptions): Promise<api.EventBodies>;
  keys(options?: CallOptions): Promise<api.KeyUses>;
  admit(request: api.AdmitRequest, options?: CallOptions): Promise<api.ActResult>;
  dismiss(request: api.DismissRequest, options?: CallOptions): Promise<api.ActResult>;
  resolve(request: api.ResolveRequest, options?: CallOptions): Promise<api.ActResult>;
  /** One page. */
  replay(request: api.ReplayRequest, options?: CallOptions): Promise<api.ReplayResult>;
  /** One page; reads only. */
  verify(request: api.VerifyRequest, options?: CallOptions): Promise<api.VerifyResult>;
  /** One page. */
  erase(request: api.EraseRequest, options?: CallOptions): Promise<api.EraseResult>;
}

export function createOperationsClient(options: OrderClientOptions): OperationsClient {
  const { routes, call } = connect(options, 'operations API');
  const ofEvent = { field: 'records', NotFound: EventNotFoundError } as const;
  return {
    waiting({ signal, ...query } = {}) {
      const params = { query: given(query) };
      return call((init) => routes['/operations/waiting'].GET({ params, ...init }), {
        field: 'events',
        signal,
      });
    },
    waitingCounts: ({ signal } = {}) =>
      call((init) => routes['/operations/waiting/counts'].GET(init), { field: 'counts', signal }),
    event(id, { signal, ...query } = {}) {
      const params = { path: { event_id: id }, query: given(query) };
      const get = '/operations/events/{event_id}';
      return call((init) => routes[get].GET({ params, ...init }), { ...ofEvent, signal });
    },
    bodies(id, { signal, ...query } = {}) {
      const params = { path: { event_id: id }, query: given(query) };
      const get = '/operations/bodies/events/{event_id}';
      return call((init) => routes[get].GET({ params, ...init }), { ...ofEvent, signal });
    },
    unrecognisedBody(bodySha256, { signal, ...query } = {}) {
      const params = { path: { body_sha256: bodySha256 }, query: given(query) };
      const get = '/operations/bodies/{body_sha256}';
      return call((init) => routes[get].GET({ params, ...init }), { field: 'records', signal });
    },
    keys: ({ signal } = {}) =>
      call((init) => routes['/operations/keys'].GET(init), { field: 'keys', signal }),
    admit: (body, { signal } = {}) =>
      call((init) => routes['/operations/admit'].POST({ body, ...init }), { field: 'changed', signal }),
    dismiss: (body, { signal } = {}) =>
      call((init) => routes['/operations/dismiss'].POST({ body, ...init }), { field: 'changed', signal }),
    resolve: (body, { signal } = {}) =>
      call((init) => routes['/operations/resolve'].POST({ body, ...init }), { field: 'changed', signal }),
    replay: (body, { signal } = {}) =>
      call((init) => routes['/operations/replay'].POST({ body, ...init }), { field: 'next_cursor', signal }),
    verify: (body, { signal } = {}) =>
      call((init) => routes['/operations/verify'].POST({ body, ...init }), { field: 'next_cursor', signal }),
    erase: (body, { signal } = {}) =>
      call((init) => routes['/operations/erase'].POST({ body, ...init }), { field: 'next_cursor', signal }),
  };
}
