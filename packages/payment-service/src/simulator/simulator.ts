import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { type Account, type AccountOptions, accountNamed, createAccounts } from './account/account.ts';
import { createTokens } from './account/tokens.ts';
import type { Registration, Webhook } from './account/webhooks.ts';
import { createApi, type SeenRequest, targetOf, writeAnswer } from './api/api.ts';
import { createOperations } from './api/operations.ts';
import { eventNamePattern, readEvents, readUrl } from './api/webhook-request.ts';
import { accessTokenSeconds } from './assumptions.ts';
import { controlPath, createControl } from './control.ts';
import { type Misbehaviour, readMisbehaviours } from './delivery/misbehaviour.ts';
import { createNotifier, type DeliveryRecord, type NotifierOptions } from './delivery/notifier.ts';

export interface SimulatorOptions extends NotifierOptions {
  /** The first one is meant wherever no account is named. */
  readonly accounts: readonly AccountOptions[];
  /** On 127.0.0.1; 0 takes any free one. */
  readonly port?: number;
  /** Milliseconds since the epoch: when webhooks are made and when access tokens expire. */
  readonly clock?: () => number;
  readonly accessTokenSeconds?: number;
  readonly onRequest?: (seen: SeenRequest) => void;
}

/** Section 2.3: the body of a notification. */
export interface WebhookEvent {
  readonly id: string;
  readonly event_name: string;
  readonly sandbox: boolean;
  readonly payload: object;
}

export interface OfAccount {
  /** The name of an account. */
  readonly account?: string;
}

export interface Simulator {
  /** All paths of the document are below it: `${baseUrl}/api/v2/webhooks`. */
  readonly baseUrl: string;
  /** What the owner of an account does in the dashboard. Throws for what the API would refuse. */
  registerWebhook(registration: Registration & OfAccount): Webhook;
  /**
   * Sends an event to every webhook of its mode that has it enabled. Settles when all deliveries have ended;
   * what is held back for a reordering or a burst ends when that is complete, or at `flush`. Throws for an
   * event that the account cannot have.
   */
  emit(event: WebhookEvent, options?: OfAccount): Promise<readonly DeliveryRecord[]>;
  /** In place of what was set before; an empty list is good behaviour. Lets go of what is held back. */
  misbehave(misbehaviours: readonly Misbehaviour[]): void;
  flush(): void;
  /** Of all accounts, oldest first. */
  deliveries(): readonly DeliveryRecord[];
  /** Ends the deliveries under way and then the server. */
  stop(): Promise<void>;
}

/** The payment service of API document v2, on this machine. Rejects when its port cannot be taken. */
export async function createSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock = Date.now, onRequest } = options;
  const accounts = createAccounts(options.accounts, clock);
  const notifier = createNotifier(options);
  const seconds = options.accessTokenSeconds ?? accessTokenSeconds;
  const tokens = createTokens({ accounts, clock, accessTokenSeconds: seconds });
  const api = createApi({
    operations: createOperations(tokens, notifier),
    authenticity: { accounts, tokens },
  });
  const parts = {
    registerWebhook: (given: Registration & OfAccount) => register(accounts, given),
    emit(event: WebhookEvent, { account }: OfAccount = {}) {
      const notifications = address(event, accountNamed(accounts, account));
      return Promise.all(notifications.map(notifier.notify)).then((records) => records.flat());
    },
    misbehave(given: readonly Misbehaviour[]) {
      const read = readMisbehaviours(given);
      if (typeof read === 'string') throw new TypeError(read);
      notifier.misbehave(read);
    },
    flush: notifier.flush,
    deliveries: notifier.records,
  };
  const control = createControl(parts);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path } = targetOf(request);
    const made = await (path.startsWith(controlPath) ? control(request) : api(request));
    writeAnswer(response, made);
    const { status, reason } = made;
    onRequest?.({ method: request.method ?? '', path, status, ...(reason !== undefined && { reason }) });
  };
  const server = createServer((request, response) => {
    // A caller that goes away in the middle of its request gets no answer.
    answer(request, response).catch(() => response.destroy());
  });
  const baseUrl = await listen(server, { host: '127.0.0.1', port: options.port ?? 0 });
  const stop = () => notifier.stop().then(() => closeServer(server));
  return { baseUrl, ...parts, stop };
}

function register(accounts: readonly Account[], { account, ...given }: Registration & OfAccount): Webhook {
  for (const read of [readUrl(given.url), readEvents(given.enabledEvents)]) {
    if (!read.ok)
      throw new TypeError(`The webhook cannot be registered: ${JSON.stringify(read.refusal.body)}`);
  }
  return accountNamed(accounts, account).webhooks.add(given);
}

/** Section 6: to every configured webhook, signed with the account's key of the event's mode. */
function address(event: WebhookEvent, account: Account) {
  if (!eventNamePattern.test(event.event_name)) {
    throw new TypeError('An event name has the form event_resource.event_action.');
  }
  const privateKey = event.sandbox ? account.sandboxKey : account.privateKey;
  if (privateKey === undefined) throw new TypeError(`The account "${account.name}" has no sandbox key.`);
  // Once for all: what is signed, and sent again, is these bytes.
  const body = Buffer.from(JSON.stringify(event), 'utf8');
  return account.webhooks
    .subscribed(event.event_name, !event.sandbox)
    .map((webhook) => ({ webhook, eventId: event.id, eventName: event.event_name, body, privateKey }));
}
