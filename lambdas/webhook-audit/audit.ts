import type { Webhook } from '@payhooks/payment-service';

/** What must be registered with the payment service. */
export interface ExpectedRegistration {
  readonly url: string;
  readonly requiredEvents: readonly string[];
}

export type FindingKind = 'not_registered' | 'not_live' | 'event_missing' | 'registered_twice';

/** One thing that is wrong, and what mends it. */
export interface Finding {
  readonly kind: FindingKind;
  /** A sentence for a person. */
  readonly says: string;
  /** The arguments of the command `payhooks` that mends it, without the stack. */
  readonly repair: readonly string[];
}

/**
 * What is wrong with the registrations of an account (API document 2.1), empty when all is well. It is
 * judged over all live registrations of our URL together: between them each event arrives at least once.
 * Sandbox registrations beside them are fine, and so are events beyond the required ones.
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

/**
 * The command that mends a finding, ready for a POSIX shell. What the payment service holds comes from
 * outside, so everything but the plainest characters is quoted.
 */
export function repairCommand({ repair }: Pick<Finding, 'repair'>, stackName: string): string {
  return ['npx', 'payhooks', ...repair, '--stack', stackName].map(quoted).join(' ');
}

const quoted = (word: string): string =>
  /^[\w.,:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** As addresses: the case of a host and a default port do not matter, every character of the path does. */
function isSameUrl(registered: string, expected: string): boolean {
  const [one, other] = [URL.parse(registered), URL.parse(expected)];
  return one !== null && other !== null && one.href === other.href;
}

/** First the one to keep: it covers the most of what is required, and of several such it is the oldest. */
function byWorth(a: Webhook, b: Webhook, { requiredEvents }: ExpectedRegistration): number {
  const covered = ({ enabled_events }: Webhook): number =>
    requiredEvents.filter((name) => enabled_events.includes(name)).length;
  const age = compare(a.created_at, b.created_at) || compare(a.id, b.id);
  return covered(b) - covered(a) || age;
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** A name that breaks a list joined by commas is no event name of section 6; no command can carry it. */
function namesOf(webhooks: readonly Webhook[]): readonly string[] {
  const names = webhooks.flatMap(({ enabled_events }) => enabled_events);
  return [...new Set(names)].filter((name) => /^[^\s,\p{C}]+$/u.test(name));
}

function notRegistered(webhooks: readonly Webhook[], { url }: ExpectedRegistration): Finding {
  const count = `webhooks of the account: ${webhooks.length}`;
  const says = `${url} is not registered (${count}): no event is delivered to it.`;
  return { kind: 'not_registered', says, repair: ['webhooks', 'register'] };
}

function notLive({ url }: ExpectedRegistration): Finding {
  const says = `${url} is registered in sandbox mode only: no live event is delivered to it.`;
  return { kind: 'not_live', says, repair: ['webhooks', 'register'] };
}

function missingEvents(
  kept: Webhook,
  covered: readonly string[],
  { url, requiredEvents }: ExpectedRegistration,
): readonly Finding[] {
  const missing = requiredEvents.filter((name) => !covered.includes(name));
  if (missing.length === 0) return [];
  const says = `${url} is registered, but not for ${missing.join(', ')}.`;
  return [{ kind: 'event_missing', says, repair: updateOf(kept, [...covered, ...missing]) }];
}

interface Duplicates {
  readonly kept: Webhook;
  readonly redundant: readonly Webhook[];
  readonly covered: readonly string[];
}

/** No event may be lost over it: what only a redundant one has enabled is taken over before it is deleted. */
function duplicates(
  { kept, redundant, covered }: Duplicates,
  { url, requiredEvents }: ExpectedRegistration,
): readonly Finding[] {
  const twice = `${url} is registered ${redundant.length + 1} times, so that events are delivered as often`;
  const isComplete = covered.every((name) => kept.enabled_events.includes(name));
  if (!isComplete && redundant.length > 0) {
    const says = `${twice}; ${kept.id} takes over what the others are for, then they can be deleted.`;
    const missing = requiredEvents.filter((name) => !covered.includes(name));
    return [{ kind: 'registered_twice', says, repair: updateOf(kept, [...covered, ...missing]) }];
  }
  return redundant.map(({ id }) => ({
    kind: 'registered_twice',
    says: `${twice}; ${kept.id} does all that ${id} does.`,
    repair: ['webhooks', 'delete', id],
  }));
}

/** An update replaces what was enabled, so it names all of it. */
const updateOf = ({ id }: Webhook, events: readonly string[]): readonly string[] => [
  'webhooks',
  'update',
  id,
  '--events',
  events.join(','),
];
