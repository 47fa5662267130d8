import { randomUUID } from 'node:crypto';

/** Section 2.1, field for field. */
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

/** The webhooks of one account, in the order of their making. */
export interface Webhooks {
  add(registration: Registration): Webhook;
  all(): readonly Webhook[];
  get(id: string): Webhook | undefined;
  change(webhook: Webhook, change: Partial<Pick<Registration, 'url' | 'enabledEvents'>>): Webhook;
  remove(id: string): void;
  /** Those that an event of this name and mode goes to (section 6). */
  subscribed(eventName: string, isLiveMode: boolean): readonly Webhook[];
}

export function createWebhooks(clock: () => number): Webhooks {
  const webhooks = new Map<string, Webhook>();
  const keep = (webhook: Webhook): Webhook => {
    webhooks.set(webhook.id, webhook);
    return webhook;
  };
  return {
    add: ({ url, enabledEvents, isLiveMode }) =>
      keep({
        object: 'v2.webhook',
        id: randomUUID(),
        url,
        is_live_mode: isLiveMode,
        enabled_events: JSON.stringify(enabledEvents),
        created_at: documentTime(clock()),
      }),
    all: () => [...webhooks.values()],
    get: (id) => webhooks.get(id),
    change: (webhook, { url = webhook.url, enabledEvents }) =>
      keep({
        ...webhook,
        url,
        enabled_events: enabledEvents === undefined ? webhook.enabled_events : JSON.stringify(enabledEvents),
      }),
    remove: (id) => void webhooks.delete(id),
    subscribed: (eventName, isLiveMode) =>
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
