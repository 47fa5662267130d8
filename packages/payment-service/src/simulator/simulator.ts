import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { checkJson, sentenceOf } from '../json.ts';
import { type Account, type AccountOptions, createAccount } from './account/account.ts';
import { createTokens } from './account/tokens.ts';
import { eventNamePattern, registrationSchema, type Webhook } from './account/webhooks.ts';
import { createApi } from './api/api.ts';
import { createOperations } from './api/operations.ts';
import { Refusal } from './api/response.ts';
import { controlOperation } from './control.ts';
import {
  createNotifier,
  type DeliveryRecord,
  type Notification,
  type NotifierOptions,
} from './delivery/notifier.ts';
import { closeServer, listenOnLoopback, targetOf, writeResponse } from './http.ts';

export interface SimulatorOptions extends NotifierOptions {
  readonly account: AccountOptions;
  /** On 127.0.0.1; 0 takes any free one. */
  readonly port?: number;
  /** Milliseconds since the epoch: when webhooks are created and when access tokens expire. */
  readonly clock?: () => number;
  readonly onRequest?: (seen: SeenRequest) => void;
}

/** What can be logged of a request: no header, query or body, for those may hold secrets. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Section 2.3: the body of a notification. */
export interface WebhookEvent {
  readonly id: string;
  readonly event_name: string;
  readonly sandbox: boolean;
  readonly payload: object;
}

export interface Registration {
  readonly url: string;
  readonly enabledEvents: readonly string[];
  readonly isLiveMode: boolean;
}

export type Simulator = Awaited<ReturnType<typeof createSimulator>>;

/** The payment service of API document v2, on this machine. Rejects when its port is taken. */
export async function createSimulator(options: SimulatorOptions) {
  const { clock = Date.now, onRequest } = options;
  const account = createAccount(options.account, clock);
  const notifier = createNotifier(options);
  const tokens = createTokens(account.clients ?? [], clock);
  const parts = {
    /** As the owner of an account does in the dashboard. Throws for what the API would refuse. */
    registerWebhook: (given: Registration) => register(account, given),
    /** Sends an event to the webhooks of its mode that enable it; settles when all deliveries have ended. */
    emit(event: WebhookEvent): Promise<readonly DeliveryRecord[]> {
      return Promise.all(notificationsOf(event, account).map(notifier.notify));
    },
    deliveries: notifier.records,
  };
  const operations = createOperations({ account, tokens }, notifier);
  const api = createApi([...operations, controlOperation(parts.emit)]);
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '' } = request;
    const { path } = targetOf(request);
    const made = await api(request).catch((error: unknown) => {
      if (error instanceof Refusal) return error.response;
      throw error;
    });
    writeResponse(response, made);
    onRequest?.({ method, path, status: made.status });
  }
  const server = createServer((request, response) => {
    // The client has closed the connection in the middle of its request.
    respond(request, response).catch(() => response.destroy());
  });
  const baseUrl = await listenOnLoopback(server, options.port ?? 0);
  /** Ends the deliveries and then the server. */
  const stop = () => notifier.stop().then(() => closeServer(server));
  return { /** Without /api/v2. */ baseUrl, ...parts, stop };
}

function register({ webhooks }: Account, { url, enabledEvents, isLiveMode }: Registration): Webhook {
  const fields = { url, enabled_events: [...enabledEvents], is_live_mode: isLiveMode };
  const checked = checkJson(registrationSchema, fields);
  if (checked.ok) return webhooks.add(checked.value);
  throw new TypeError(`The webhook cannot be registered: ${sentenceOf(checked.mismatch)}.`);
}

/** Section 6: to every configured webhook, signed with the account's key of the event's mode. */
function notificationsOf(event: WebhookEvent, account: Account): readonly Notification[] {
  if (!eventNamePattern.test(event.event_name)) {
    throw new TypeError('An event name has the form event_resource.event_action.');
  }
  const privateKey = event.sandbox ? account.sandboxKey : account.privateKey;
  if (privateKey === undefined) throw new TypeError(`The account "${account.name}" has no sandbox key.`);
  // Serialised once: these bytes are signed, sent, and sent again.
  const body = Buffer.from(JSON.stringify(event));
  return account.webhooks
    .subscribed(event.event_name, !event.sandbox)
    .map((webhook) => ({ webhook, eventId: event.id, eventName: event.event_name, body, privateKey }));
}
