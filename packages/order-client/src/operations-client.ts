import { EventNotFoundError, ProblemError } from './errors.ts';
import type {
  ActResult,
  AdmitRequest,
  DismissRequest,
  EraseRequest,
  EraseResult,
  EventBodies,
  EventRecords,
  KeyUses,
  ReplayRequest,
  ReplayResult,
  ResolveRequest,
  VerifyRequest,
  VerifyResult,
  WaitingCounts,
  WaitingList,
} from './openapi-types.ts';
import type {
  BodiesOptions,
  CallOptions,
  ModeOptions,
  OrderClientOptions,
  WaitingOptions,
} from './options.ts';
import { parseBody } from './parse-body.ts';
import { idSegment, parseBaseUrl, type Query, requestUrl } from './request-url.ts';
import { defaultRetryPolicy } from './retry-policy.ts';
import { createSigner } from './signer.ts';
import { createSend } from './transport.ts';

/**
 * What operators see and do. Every method throws an `OrderClientError`, or the reason of its signal; an act
 * that the state forbids throws ConflictError. A fault that may pass repeats acts like reads: a repetition
 * changes nothing more.
 */
export interface OperationsClient {
  /** One page of what waits for a person. */
  waiting(options?: WaitingOptions): Promise<WaitingList>;
  waitingCounts(options?: CallOptions): Promise<WaitingCounts>;
  /** Every body under an event id, without its bytes. Throws EventNotFoundError. */
  event(id: string, options?: ModeOptions): Promise<EventRecords>;
  /** With their bytes: holds customer data. Throws EventNotFoundError. */
  bodies(id: string, options?: BodiesOptions): Promise<EventBodies>;
  /** A body that is no event, by its hash: may hold customer data. */
  unrecognisedBody(bodySha256: string, options?: ModeOptions): Promise<EventBodies>;
  keys(options?: CallOptions): Promise<KeyUses>;
  admit(request: AdmitRequest, options?: CallOptions): Promise<ActResult>;
  dismiss(request: DismissRequest, options?: CallOptions): Promise<ActResult>;
  resolve(request: ResolveRequest, options?: CallOptions): Promise<ActResult>;
  /** One page. */
  replay(request: ReplayRequest, options?: CallOptions): Promise<ReplayResult>;
  /** One page; reads only. */
  verify(request: VerifyRequest, options?: CallOptions): Promise<VerifyResult>;
  /** One page. */
  erase(request: EraseRequest, options?: CallOptions): Promise<EraseResult>;
}

export function createOperationsClient(options: OrderClientOptions): OperationsClient {
  const { region, credentials, fetch = globalThis.fetch } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const send = createSend({ fetch, policy, sign: createSigner({ baseUrl, region, credentials }) });

  async function call<T>({ path, query = {}, request, fields, NotFound, signal }: Call): Promise<T> {
    const url = requestUrl(baseUrl, ['operations', ...path], query);
    const body = request && JSON.stringify(request);
    const text = await send({ url, body, NotFound: NotFound ?? ProblemError, signal });
    return parseBody<T>(text, { fields, api: 'operations API' });
  }

  const act =
    <Request extends object, Result>(name: string, fields: readonly string[]) =>
    async (request: Request, { signal }: CallOptions = {}): Promise<Result> =>
      call({ path: [name], request, fields, signal });
  const ofAct = ['act', 'changed', 'events', 'orders'];
  const ofEvent = { NotFound: EventNotFoundError };

  return {
    async waiting({ signal, orderId, transactionId, since, until, ...others } = {}) {
      const { kind, limit, cursor, mode } = others;
      const ids = { order_id: orderId, transaction_id: transactionId };
      const query = { kind, ...ids, since: timeOf(since), until: timeOf(until), limit, cursor, mode };
      return call({ path: ['waiting'], query, fields: ['events', 'next_cursor'], signal });
    },
    async waitingCounts({ signal } = {}) {
      return call({ path: ['waiting', 'counts'], fields: ['counts'], signal });
    },
    async event(id, { mode, signal } = {}) {
      const path = ['events', idSegment('event', id)];
      return call({ path, query: { mode }, fields: ['id', 'records', 'acts'], signal, ...ofEvent });
    },
    async bodies(id, { mode, bodySha256, signal } = {}) {
      const path = ['bodies', 'events', idSegment('event', id)];
      const query = { body_sha256: bodySha256, mode };
      return call({ path, query, fields: ['records', 'more'], signal, ...ofEvent });
    },
    async unrecognisedBody(bodySha256, { mode, signal } = {}) {
      const path = ['bodies', idSegment('body', bodySha256)];
      return call({ path, query: { mode }, fields: ['records', 'more'], signal });
    },
    async keys({ signal } = {}) {
      return call({ path: ['keys'], fields: ['keys'], signal });
    },
    admit: act('admit', ofAct),
    dismiss: act('dismiss', ofAct),
    resolve: act('resolve', ofAct),
    replay: act('replay', [...ofAct, 'next_cursor']),
    verify: act('verify', ['next_cursor']),
    erase: act('erase', [...ofAct, 'next_cursor']),
  };
}

interface Call {
  readonly path: readonly string[];
  readonly query?: Query;
  /** That of an act, which is a POST. */
  readonly request?: object;
  /** Enough of the response to recognise it. */
  readonly fields: readonly string[];
  readonly NotFound?: typeof ProblemError;
  readonly signal: AbortSignal | undefined;
}

const timeOf = (time: Date | string | undefined): string | undefined =>
  time instanceof Date ? time.toISOString() : time;
