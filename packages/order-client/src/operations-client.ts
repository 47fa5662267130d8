import { type CallOptions, connect, type OrderClientOptions, type ReadOptions } from './connection.ts';
import { EventNotFoundError } from './errors.ts';
import type * as api from './openapi-types.ts';
import type { ModeOptions } from './order-client.ts';

export type WaitingOptions = ReadOptions<'/operations/waiting'>;
export type ReceivedOptions = ReadOptions<'/operations/events'>;
export type ApprovalsOptions = ReadOptions<'/operations/approvals'>;
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
  /** One page of what was received, newest first. */
  received(options?: ReceivedOptions): Promise<api.ReceivedList>;
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
  /** One page of the acts that wait for another identity. */
  approvals(options?: ApprovalsOptions): Promise<api.Approvals>;
  /** Does the act; of one on many events, one page. */
  approve(request: api.ApproveRequest, options?: CallOptions): Promise<api.ApprovedResult>;
  reject(request: api.RejectRequest, options?: CallOptions): Promise<api.Proposal>;
}

export function createOperationsClient(options: OrderClientOptions): OperationsClient {
  const { routes, call } = connect(options, 'operations API');
  const ofEvent = { field: 'records', NotFound: EventNotFoundError } as const;
  const act = { field: 'changed' } as const;
  const page = { field: 'next_cursor' } as const;
  return {
    waiting: (list) =>
      call(page, list, (init, query) => routes['/operations/waiting'].GET({ params: { query }, ...init })),
    waitingCounts: (options) =>
      call({ field: 'counts' }, options, (init) => routes['/operations/waiting/counts'].GET(init)),
    received: (list) =>
      call(page, list, (init, query) => routes['/operations/events'].GET({ params: { query }, ...init })),
    event: (event_id, options) =>
      call(ofEvent, options, (init, query) =>
        routes['/operations/events/{event_id}'].GET({ params: { path: { event_id }, query }, ...init }),
      ),
    bodies: (event_id, options) =>
      call(ofEvent, options, (init, query) =>
        routes['/operations/bodies/events/{event_id}'].GET({
          params: { path: { event_id }, query },
          ...init,
        }),
      ),
    unrecognisedBody: (body_sha256, options) =>
      call({ field: 'records' }, options, (init, query) =>
        routes['/operations/bodies/{body_sha256}'].GET({ params: { path: { body_sha256 }, query }, ...init }),
      ),
    keys: (options) => call({ field: 'keys' }, options, (init) => routes['/operations/keys'].GET(init)),
    admit: (body, options) =>
      call(act, options, (init) => routes['/operations/admit'].POST({ body, ...init })),
    dismiss: (body, options) =>
      call(act, options, (init) => routes['/operations/dismiss'].POST({ body, ...init })),
    resolve: (body, options) =>
      call(act, options, (init) => routes['/operations/resolve'].POST({ body, ...init })),
    replay: (body, options) =>
      call(page, options, (init) => routes['/operations/replay'].POST({ body, ...init })),
    verify: (body, options) =>
      call(page, options, (init) => routes['/operations/verify'].POST({ body, ...init })),
    erase: (body, options) =>
      call(page, options, (init) => routes['/operations/erase'].POST({ body, ...init })),
    approvals: (list) =>
      call(page, list, (init, query) => routes['/operations/approvals'].GET({ params: { query }, ...init })),
    approve: (body, options) =>
      call(act, options, (init) => routes['/operations/approvals/approve'].POST({ body, ...init })),
    reject: (body, options) =>
      call({ field: 'waits' }, options, (init) =>
        routes['/operations/approvals/reject'].POST({ body, ...init }),
      ),
  };
}
