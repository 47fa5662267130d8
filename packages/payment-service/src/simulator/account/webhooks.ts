import { randomUUID } from 'node:crypto';
import type { InferOutput } from 'valibot';
import type { changeSchema, registrationSchema } from '../api/webhook-request.ts';

export type Webhooks = ReturnType<typeof createWebhooks>;
export type Webhook = ReturnType<typeof webhookOf>;

/** The webhooks of one account, in the order of their creation. */
export function createWebhooks(clock: () => number) {
  const webhooks = new Map<string, Webhook>();
  function keep(webhook: Webhook): Webhook {
    webhooks.set(webhook.id, webhook);
    return webhook;
  }
  return {
    add: (registration: InferOutput<typeof registrationSchema>) => keep(webhookOf(registration, clock())),
    all: (): readonly Webhook[] => [...webhooks.values()],
    get: (id: string) => webhooks.get(id),
    /** Section 4.3. */
    change: (webhook: Webhook, { url = webhook.url, enabled_events }: InferOutput<typeof changeSchema>) =>
      keep({ ...webhook, url, ...(enabled_events && { enabled_events: JSON.stringify(enabled_events) }) }),
    remove: (id: string) => void webhooks.delete(id),
    /** Those that get an event of this name and mode (section 6). */
    subscribed: (eventName: string, isLiveMode: boolean) =>
      [...webhooks.values()].filter(
        ({ is_live_mode, enabled_events }) =>
          is_live_mode === isLiveMode && (JSON.parse(enabled_events) as string[]).includes(eventName),
      ),
  };
}

/** Section 2.1, as it is sent: `enabled_events` is a JSON-encoded array. */
function webhookOf(registration: InferOutput<typeof registrationSchema>, now: number) {
  const { url, enabled_events, is_live_mode } = registration;
  return {
    object: 'v2.webhook',
    id: randomUUID() as string,
    url,
    is_live_mode,
    enabled_events: JSON.stringify(enabled_events),
    created_at: documentTime(now),
  };
}

/** YYYY-MM-DD HH:MM:SS; the document names no time zone, and this is UTC. */
export function documentTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}
