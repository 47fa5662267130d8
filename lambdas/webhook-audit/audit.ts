import { sentenceOf, type UnreadableWebhook, type Webhook } from '@payhooks/payment-service';
import type { Finding } from './finding.ts';

/** What must be registered with the payment service. */
export interface ExpectedRegistration {
  readonly url: string;
  readonly requiredEvents: readonly string[];
}

/** The rows of a list of webhooks. */
export interface Registrations {
  readonly webhooks: readonly Webhook[];
  readonly unreadable: readonly UnreadableWebhook[];
}

/**
 * What is wrong with the registrations of an account (API document 2.1); empty when nothing is. All live
 * registrations of our URL are judged together: between them each event has to arrive exactly once.
 * Additional sandbox registrations and additional events are fine. Nothing is judged by a row of ours that
 * cannot be read.
 */
export function auditRegistrations(
  { webhooks, unreadable }: Registrations,
  { url, requiredEvents }: ExpectedRegistration,
): readonly Finding[] {
  const odd = unreadable.find((row) => row.url !== null && isSameUrl(row.url, url));
  if (odd !== undefined) {
    const detail = `${url} is registered, but what the payment service lists of it is unreadable: `;
    const kind = 'registration_unreadable';
    return [{ kind, detail: `${detail}${sentenceOf(odd.mismatch)}.`, fix: ['webhooks', 'list'] }];
  }
  const ours = webhooks.filter((webhook) => isSameUrl(webhook.url, url));
  const live = ours
    .filter(({ is_live_mode }) => is_live_mode)
    .toSorted((a, b) => byWorth(a, b, requiredEvents));
  const [first] = live;
  if (first === undefined) return [notLive(webhooks, ours, url)];
  const covered = namesOf(live);
  const missing = requiredEvents.filter((name) => !covered.includes(name));
  if (missing.length === 0) return duplicates(live, url);
  const detail = `${url} is registered, but not for ${missing.join(', ')}.`;
  const fix = enable(first, [...namesOf([first]), ...missing]);
  return [{ kind: 'event_missing', detail, fix }, ...duplicates(live, url)];
}

/** Of the live registrations that share an event with another, the best first, one is to be kept. */
function duplicates(live: readonly Webhook[], url: string): readonly Finding[] {
  const shared = live.filter(({ id, enabled_events }) =>
    live.some(
      (other) => other.id !== id && enabled_events.some((name) => other.enabled_events.includes(name)),
    ),
  );
  const [kept, ...redundant] = shared;
  if (kept === undefined) return [];
  const kind = 'registered_twice';
  const twice = `${url} is registered ${shared.length} times for the same events, which arrive as often`;
  // No event is lost: before a redundant registration is deleted, the kept one takes over its events.
  const covered = namesOf(shared);
  if (!covered.every((name) => kept.enabled_events.includes(name))) {
    const detail = `${twice}. First enable the events of the others on ${kept.id}, then delete the others.`;
    return [{ kind, detail, fix: enable(kept, covered) }];
  }
  return redundant.map(({ id }): Finding => {
    const detail = `${twice}. ${kept.id} has all events of ${id}.`;
    return { kind, detail, fix: ['webhooks', 'delete', id] };
  });
}

/** An update replaces the enabled events, so it names all of them. */
const enable = ({ id }: Webhook, names: readonly string[]): readonly string[] => [
  'webhooks',
  'update',
  id,
  '--events',
  names.join(','),
];

function notLive(webhooks: readonly Webhook[], ours: readonly Webhook[], url: string): Finding {
  const fix = ['webhooks', 'register'];
  if (ours.length > 0) {
    const detail = `${url} is registered in sandbox mode only: no live event is delivered to it.`;
    return { kind: 'not_live', detail, fix };
  }
  const count = `webhooks of the account: ${webhooks.length}`;
  const detail = `${url} is not registered (${count}): no event is delivered to it.`;
  return { kind: 'not_registered', detail, fix };
}

/**
 * Compared as addresses: the case of the host, a default port, a fragment and an empty query do not matter,
 * the path does.
 */
export function isSameUrl(registered: string, expected: string): boolean {
  const [one, other] = [registered, expected].map((text) => URL.parse(text));
  if (!one || !other) return false;
  return one.origin === other.origin && one.pathname === other.pathname && one.search === other.search;
}

/** The one to keep first: it covers most of the required events; of several such, the oldest. */
function byWorth(a: Webhook, b: Webhook, requiredEvents: readonly string[]): number {
  const covered = ({ enabled_events }: Webhook): number =>
    requiredEvents.filter((name) => enabled_events.includes(name)).length;
  const age = compare(a.created_at, b.created_at) || compare(a.id, b.id);
  return covered(b) - covered(a) || age;
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** A name that breaks a comma-separated list is no event name of section 6, and no command can pass it. */
function namesOf(webhooks: readonly Webhook[]): readonly string[] {
  const names = webhooks.flatMap(({ enabled_events }) => enabled_events);
  return [...new Set(names)].filter((name) => /^[^\s,\p{C}]+$/u.test(name));
}
