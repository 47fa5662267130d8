import type { Registration } from '../account/webhooks.ts';
import { invalid, type Read, read, refuse } from './answer.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Sections 4.2 and 4.3 do not show their payloads. Assumed: a JSON object with fields of the webhook object
 * (section 2.1), whose `enabled_events` may also come as a plain array; any other field is an error, so that
 * a misspelt one shows.
 */
export function readRegistration(body: unknown): Read<Registration> {
  const fields = readFields(body, ['url', 'enabled_events', 'is_live_mode']);
  if (!fields.ok) return fields;
  const url = readUrl(fields.value['url']);
  if (!url.ok) return url;
  const enabledEvents = readEvents(fields.value['enabled_events']);
  if (!enabledEvents.ok) return enabledEvents;
  const isLiveMode = fields.value['is_live_mode'] ?? true;
  if (typeof isLiveMode !== 'boolean') return refuse(invalid('is_live_mode', 'true or false'));
  return read({ url: url.value, enabledEvents: enabledEvents.value, isLiveMode });
}

/** Section 4.3: it changes a webhook's URL or subscribed events, and nothing else. */
export function readChange(body: unknown): Read<Partial<Pick<Registration, 'url' | 'enabledEvents'>>> {
  const fields = readFields(body, ['url', 'enabled_events']);
  if (!fields.ok) return fields;
  const { url: givenUrl, enabled_events: givenEvents } = fields.value;
  if (givenUrl === undefined && givenEvents === undefined) {
    return refuse(invalid('url', 'url or enabled_events is needed'));
  }
  const url = givenUrl === undefined ? undefined : readUrl(givenUrl);
  if (url?.ok === false) return url;
  const events = givenEvents === undefined ? undefined : readEvents(givenEvents);
  if (events?.ok === false) return events;
  return read({ ...(url && { url: url.value }), ...(events && { enabledEvents: events.value }) });
}

function readFields(body: unknown, allowed: readonly string[]): Read<Fields> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse(invalid('body', 'a JSON object'));
  }
  const unknown = Object.keys(body).find((name) => !allowed.includes(name));
  return unknown === undefined ? read({ ...body }) : refuse(invalid(unknown, 'no field of this operation'));
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Section 1: an HTTPS URL. Plain http is taken on this machine alone, where a simulator's receivers are. */
export function readUrl(given: unknown): Read<string> {
  const rule = 'an https URL; http only for a loopback address';
  if (typeof given !== 'string' || !URL.canParse(given)) return refuse(invalid('url', rule));
  const { protocol, hostname, username, password } = new URL(given);
  const taken = protocol === 'https:' || (protocol === 'http:' && loopbackHost.test(hostname));
  // The webhook list shows URLs to everybody who may read it.
  if (!taken || username !== '' || password !== '') return refuse(invalid('url', rule));
  return read(given);
}

/** `event_resource.event_action` (section 6). There is no list to compare with: the known one is not full. */
export const eventNamePattern = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

export function readEvents(given: unknown): Read<readonly string[]> {
  const rule = 'an array of event names such as transaction.paid, at least one, none twice';
  const names = typeof given === 'string' ? parseJson(given) : given;
  const isNames = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((name) => typeof name === 'string' && eventNamePattern.test(name));
  if (!isNames(names) || names.length === 0 || new Set(names).size !== names.length) {
    return refuse(invalid('enabled_events', rule));
  }
  return read(names);
}

/** The value, or `undefined` for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
