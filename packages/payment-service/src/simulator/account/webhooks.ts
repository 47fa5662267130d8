import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { isPrivateAddress } from '../../web-address.ts';

/** `event_resource.event_action` (section 6). Any such name is accepted: the known list is not complete. */
export const eventNamePattern = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

/** Section 1: an HTTPS URL; http to this machine, where the receivers of a simulator are. */
function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  // Every reader of the webhook list sees the URL.
  return url !== null && isPrivateAddress(url) && url.username === '' && url.password === '';
}

export const webhookUrl = v.pipe(
  v.string(),
  v.check(isWebhookUrl, 'an https URL; http only for a loopback address'),
);

const namesRule = 'an array of event names such as transaction.paid, at least one, none twice';
const eventNames = v.pipe(
  v.array(v.pipe(v.string(namesRule), v.regex(eventNamePattern, namesRule)), namesRule),
  v.check((names) => names.length > 0 && new Set(names).size === names.length, namesRule),
);

/**
 * Sections 4.2 and 4.3 do not show their payloads. Assumed: fields of the webhook object (2.1), whose
 * `enabled_events` may also be a plain array. An unknown field is an error, so that a misspelt one shows.
 */
const enabledEvents = v.union(
  [v.pipe(v.string(), v.parseJson(undefined, namesRule), eventNames), eventNames],
  namesRule,
);

export const registrationSchema = v.strictObject({
  url: webhookUrl,
  enabled_events: enabledEvents,
  is_live_mode: v.optional(v.boolean(), true),
});

/** Section 4.3: it changes a webhook's URL or subscribed events, and nothing else. */
export const changeSchema = v.pipe(
  v.strictObject({ url: v.optional(webhookUrl), enabled_events: v.optional(enabledEvents) }),
  v.forward(
    v.check(({ url, enabled_events }) => (url ?? enabled_events) !== undefined, 'url or enabled_events'),
    ['url'],
  ),
);

type Registration = v.InferOutput<typeof registrationSchema>;
type Change = v.InferOutput<typeof changeSchema>;
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
    add: (registration: Registration) => keep(webhookOf(registration, clock())),
    all: (): readonly Webhook[] => [...webhooks.values()],
    get: (id: string) => webhooks.get(id),
    /** Section 4.3. */
    change: (webhook: Webhook, { url = webhook.url, enabled_events }: Change) =>
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
function webhookOf(registration: Registration, now: number) {
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
