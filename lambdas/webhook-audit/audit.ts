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
  const ours = webhooks.filter(({ url }) => isSameUrl(url, expected.url));
  const live = ours.filter(({ is_live_mode }) => is_live_mode);
  const [kept, ...redundant] = live.toSorted((a, b) => byWorth(a, b, expected));
  if (kept === undefined) return [ours.length === 0 ? notRegistered(webhooks, expected) : notLive(expected)];
  const covered = namesOf(live);
  return [...missingEvents(kept, covered, expected), ...duplicates({ kept, redundant, covered }, expected)];
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

function notRegistered(webhooks: readonly Webhook[], { url }: ExpectedRegistration): Finding {
  const count = `webhooks of the account: ${webhooks.length}`;
  const detail = `${url} is not registered (${count}): no event is delivered to it.`;
  return { kind: 'not_registered', detail, fix: ['webhooks', 'register'] };
}

function notLive({ url }: ExpectedRegistration): Finding {
  const detail = `${url} is registered in sandbox mode only: no live event is delivered to it.`;
  return { kind: 'not_live', detail, fix: ['webhooks', 'register'] };
}

function missingEvents(
  kept: Webhook,
  covered: readonly string[],
  { url, requiredEvents }: ExpectedRegistration,
): readonly Finding[] {
  const missing = requiredEvents.filter((name) => !covered.includes(name));
  if (missing.length === 0) return [];
  const detail = `${url} is registered, but not for ${missing.join(', ')}.`;
  return [{ kind: 'event_missing', detail, fix: updateOf(kept, [...covered, ...missing]) }];
}

interface Duplicates {
  readonly kept: Webhook;
  readonly redundant: readonly Webhook[];
  readonly covered: readonly string[];
}

/** The fix loses no event: before a redundant registration is deleted, the kept one takes over its events. */
function duplicates(
  { kept, redundant, covered }: Duplicates,
  { url, requiredEvents }: ExpectedRegistration,
): readonly Finding[] {
  const count = redundant.length + 1;
  const twice = `${url} is registered ${count} times, so each event arrives ${count} times`;
  const isComplete = covered.every((name) => kept.enabled_events.includes(name));
  if (!isComplete) {
    const detail = `${twice}. First enable the events of the others on ${kept.id}, then delete the others.`;
    const missing = requiredEvents.filter((name) => !covered.includes(name));
    return [{ kind: 'registered_twice', detail, fix: updateOf(kept, [...covered, ...missing]) }];
  }
  return redundant.map(({ id }) => ({
    kind: 'registered_twice',
    detail: `${twice}. ${kept.id} has all events of ${id}.`,
    fix: ['webhooks', 'delete', id],
  }));
}

/** An update replaces the enabled events, so it names all of them. */
const updateOf = ({ id }: Webhook, events: readonly string[]): readonly string[] => [
  'webhooks',
  'update',
  id,
  '--events',
  events.join(','),
];
