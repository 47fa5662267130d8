import type { Webhook } from '@payhooks/payment-service';
import type { Finding } from './finding.ts';

/** What must be registered with the payment service. */
export interface ExpectedRegistration {
  readonly url: string;
  readonly requiredEvents: readonly string[];
}

/**
 * What is wrong with the registrations of an account (API document 2.1); empty when nothing is. All live
 * registrations of our URL are judged together: between them each event has to arrive at least once.
 * Additional sandbox registrations and additional events are fine.
 */
export function auditRegistrations(
  webhooks: readonly Webhook[],
  expected: ExpectedRegistration,
): readonly Finding[] {
  const { url, requiredEvents } = expected;
  const ours = webhooks.filter((webhook) => isSameUrl(webhook.url, url));
  const live = ours.filter(({ is_live_mode }) => is_live_mode);
  const [kept, ...redundant] = live.toSorted((a, b) => byWorth(a, b, expected));
  if (kept === undefined) return [notLive(webhooks, ours, url)];
  const covered = namesOf(live);
  const missing = requiredEvents.filter((name) => !covered.includes(name));
  // An update replaces the enabled events, so it names all of them.
  const enabled = [...covered, ...missing].join(',');
  const enableAll = ['webhooks', 'update', kept.id, '--events', enabled];
  const found: Finding[] = [];
  if (missing.length > 0) {
    const detail = `${url} is registered, but not for ${missing.join(', ')}.`;
    found.push({ kind: 'event_missing', detail, fix: enableAll });
  }
  if (redundant.length === 0) return found;
  const kind = 'registered_twice';
  const twice = `${url} is registered ${live.length} times, so each event arrives ${live.length} times`;
  // No event is lost: before a redundant registration is deleted, the kept one takes over its events.
  if (!covered.every((name) => kept.enabled_events.includes(name))) {
    const detail = `${twice}. First enable the events of the others on ${kept.id}, then delete the others.`;
    return [...found, { kind, detail, fix: enableAll }];
  }
  const deletions = redundant.map(({ id }): Finding => {
    const detail = `${twice}. ${kept.id} has all events of ${id}.`;
    return { kind, detail, fix: ['webhooks', 'delete', id] };
  });
  return [...found, ...deletions];
}

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

/** Compared as addresses: the case of the host and a default port do not matter, the path does. */
export function isSameUrl(registered: string, expected: string): boolean {
  const [one, other] = [URL.parse(registered), URL.parse(expected)];
  return one !== null && other !== null && one.href === other.href;
}

/** The one to keep first: it covers most of the required events; of several such, the oldest. */
function byWorth(a: Webhook, b: Webhook, { requiredEvents }: ExpectedRegistration): number {
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
