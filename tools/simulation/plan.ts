import { variables } from '../../lambdas/contract/environment.ts';
import type { Outage } from './aws/faults.ts';
import type { CodeVersion, FormerVersion, RunSettings } from './history.ts';
import type { Bundles, Loaded, Stage } from './lambda/bundles.ts';
import type { Random } from './random.ts';

/** What the seed chooses before a run begins. */
export type Plan = ReturnType<typeof createPlan>;

/** Of code that reads payloads at other places, of the setting `eventMeanings`, or of both. */
export interface Deployment {
  readonly from: number;
  readonly until: number;
  readonly formerly: Omit<FormerVersion, 'until'>;
}

/** How long senders and operators are busy, in milliseconds. Faults last as long. */
export const busyMilliseconds = 3 * 60 * 1_000;

/** Every run begins here. */
export const startedAt = Date.parse('2026-11-02T09:00:00.000Z');

/** The names of the sample events that have no meaning of their own. */
const meanings = [
  {},
  {},
  { 'transaction.voided': 'refunded' },
  { 'transaction.voided': 'paid', 'transaction.updated': 'disputed' },
] as const;
/** DynamoDB's own limit. */
export const itemBytesMax = 400 * 1024;
const services = ['DynamoDB_20120810', 'AmazonSQS', 'secretsmanager', 'AWSEvents'] as const;

export function createPlan(random: Random) {
  const isCalm = random.chance(0.1);
  const eventRetentionDays = random.chance(0.5) ? random.integer(14, 30) : undefined;
  const isRevisited = eventRetentionDays !== undefined && random.chance(0.4);
  const within = (): number => startedAt + random.integer(0, busyMilliseconds);
  const outages = Array.from({ length: random.pick([0, 0, 1, 2]) }, (): Outage => {
    const from = within();
    return { service: random.pick(services), from, until: from + random.integer(5_000, 120_000) };
  });
  const settings: RunSettings = {
    eventRetentionDays,
    eventMeanings: random.pick(meanings),
    signatureHeader: 'x-service-signature',
    sequenceBase: random.pick([0, 1_000_000_000]),
  };
  return {
    settings,
    /** The shares of calls that meet a fault, and of invocations that are killed, from 0 to 1. */
    faultRate: isCalm ? 0 : random.pick([0.02, 0.05, 0.05, 0.1]),
    killRate: isCalm ? 0 : random.pick([0.02, 0.05, 0.1]),
    outages: isCalm ? [] : outages,
    /** The clocks of instances differ from the world's by at most this. */
    skewMillisecondsMax: random.pick([0, 200, 2_000]),
    /** After so many receives a message is a dead letter: far fewer than deployed, so that there are some. */
    receivesMax: random.pick([3, 6, 90]),
    /** Shorter than deployed in some runs, so that Lambda gives up on changes. */
    feedRecordAgeSecondsMax: random.pick([60, 43_200, 43_200]),
    /** In some runs so many days pass, and then senders and operators are busy again. */
    quietDays: isRevisited ? eventRetentionDays + random.integer(-1, 5) : undefined,
    /** Half-way through it, old and new instances run side by side; after it operators replay everything. */
    deployment: random.chance(0.35) ? chooseDeployment(random) : undefined,
    /** How the stream of orders is read: few lanes, and waiting for more, make large batches. */
    feedLanes: random.pick([1, 1, 2, 8]),
    /** The window of a batch, and the time that Lambda takes to look. */
    feedWindowMilliseconds: random.pick([250, 1_250, 20_000]),
    /** The largest row of an order. In some runs far less than DynamoDB's 400 KB, so that orders are full. */
    orderBytesMax: random.chance(0.15) ? random.integer(700, 1_100) : itemBytesMax,
  };
}

function chooseDeployment(random: Random): Deployment {
  // Both versions have events to read.
  const from = startedAt + random.integer(busyMilliseconds / 4, (busyMilliseconds * 3) / 4);
  const until = from + random.integer(1_000, busyMilliseconds / 4);
  const formerly = { hasOtherPlaces: random.chance(0.7), eventMeanings: random.pick(meanings) };
  return { from, until, formerly };
}

export function bundlesOf(
  { deployment }: Plan,
  { today, former }: Bundles,
): Readonly<Record<CodeVersion, Loaded>> {
  return { old: deployment?.formerly.hasOtherPlaces ? former : today, new: today };
}

/** What is set for a version, in addition to the variables of its functions. */
export function variablesOf({ deployment, settings }: Plan, version: CodeVersion): Record<string, string> {
  const { eventMeanings } = (version === 'old' && deployment?.formerly) || settings;
  const isSet = Object.keys(eventMeanings).length > 0;
  return isSet ? { [variables.eventMeanings]: JSON.stringify(eventMeanings) } : {};
}

/** Before the deployment old code starts, after it new code, and during it either; operators do not wait. */
export function versionAt({ deployment }: Plan, start: Start): CodeVersion {
  if (deployment === undefined || start.now >= deployment.until) return 'new';
  if (start.now < deployment.from) return 'old';
  return start.stage === 'operations' || start.random.chance(0.5) ? 'new' : 'old';
}

interface Start {
  readonly stage: Stage;
  readonly now: number;
  readonly random: Random;
}
