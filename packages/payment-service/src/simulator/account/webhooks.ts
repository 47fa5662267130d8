import { randomUUID } from 'node:crypto';

/** Section 2.1, as it is sent. */
export interface Webhook {
  readonly object: 'v2.webhook';
  readonly id: string;
  readonly url: string;
  readonly is_live_mode: boolean;
  /** A JSON-encoded array of event names, carried as a string. */
  readonly enabled_events: string;
  readonly created_at: string;
}

export interface Registration {
  readonly url: string;
  readonly enabledEvents: readonly string[];
  readonly isLiveMode: boolean;
}

/** What an update can change (section 4.3). */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly enabledEvents?: readonly string[] | undefined;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** The webhooks of one account, in the order of their creation. */
export function createWebhooks(clock: () => number) {
  const webhooks = new Map<string, Webhook>();
  function keep(webhook: Webhook): Webhook {
    webhooks.set(webhook.id, webhook);
    return webhook;
  }
  return {
    add: ({ url, enabledEvents, isLiveMode }: Registration) =>
      keep({
        object: 'v2.webhook',
        id: randomUUID(),
        url,
        is_live_mode: isLiveMode,
        enabled_events: JSON.stringify(enabledEvents),
        created_at: documentTime(clock()),
      }),
    all: (): readonly Webhook[] => [...webhooks.values()],
    get: (id: string) => webhooks.get(id),
    change: (webhook: Webhook, { url = webhook.url, enabledEvents }: WebhookChange) =>
      keep({
        ...webhook,
        url,
        enabled_events: enabledEvents === undefined ? webhook.enabled_events : JSON.stringify(enabledEvents),
      }),
    remove: (id: string) => void webhooks.delete(id),
    /** Those that get an event of this name and mode (section 6). */
    subscribed: (eventName: string, isLiveMode: boolean) =>
      [...webhooks.values()].filter(
        ({ is_live_mode, enabled_events }) =>
          is_live_mode === isLiveMode && (JSON.parse(enabled_events) as string[]).includes(eventName),
      ),
  };
}

/** YYYY-MM-DD HH:MM:SS; the document names no time zone, and this is UTC. */
export function documentTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}
