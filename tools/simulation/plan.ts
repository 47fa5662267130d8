import type { Outage } from './aws/faults.ts';
import type { RunSettings } from './history.ts';
import type { Random } from './random.ts';

/** What the seed chooses before a run begins. */
export interface Plan {
  readonly settings: RunSettings;
  /** The shares of calls that meet a fault, and of invocations that are killed, from 0 to 1. */
  readonly faultRate: number;
  readonly killRate: number;
  readonly outages: readonly Outage[];
  /** The clocks of instances differ from the world's by at most this. */
  readonly skewMillisecondsMax: number;
  /** After so many receives a message is a dead letter: far fewer than deployed, so that there are some. */
  readonly receivesMax: number;
  /** How the stream of orders is read: few lanes, and waiting for more, make large batches. */
  readonly feedLanes: number;
  readonly feedWindowMilliseconds: number;
  /** Shorter than deployed in some runs, so that Lambda gives up on changes. */
  readonly feedRecordAgeSecondsMax: number;
  /** In some runs so many days pass, and then senders and operators are busy again. */
  readonly quietDays: number | undefined;
  /**
   * Half-way through a deployment, old and new instances start side by side; but none of an old version that
   * reads payloads at other places runs at the same time as the new one.
   */
  readonly deployment: Deployment | undefined;
  readonly compactRows: CompactRows;
  /** The largest row of an order. In some runs far less than DynamoDB's 400 KB, so that orders are full. */
  readonly orderBytesMax: number;
}

/** Who is set to write rows in the compact form. */
export interface CompactRows {
  /** Instances from before and from after a deployment of code or of this setting. */
  readonly old: boolean;
  readonly new: boolean;
  /** All instances, once quiet days have passed. */
  readonly later: boolean;
}

export interface Deployment {
  readonly from: number;
  readonly until: number;
  /**
   * Of other code, of the setting `compactRows`, switched on or off, or of code that reads payloads at other
   * places, after which operators replay everything.
   */
  readonly of: 'code' | 'compact rows' | 'reading';
}

/** How long senders and operators are busy, in milliseconds. Faults last as long. */
export const busyMilliseconds = 3 * 60 * 1_000;

/** Every run begins here. */
export const startedAt = Date.parse('2026-11-02T09:00:00.000Z');

const deployments = ['code', 'code', 'compact rows', 'compact rows', 'reading'] as const;
/** DynamoDB's own limit. */
export const itemBytesMax = 400 * 1024;
const services = ['DynamoDB_20120810', 'AmazonSQS', 'secretsmanager', 'AWSEvents'] as const;

export function createPlan(random: Random): Plan {
  const isCalm = random.chance(0.1);
  const eventRetentionDays = random.chance(0.5) ? random.integer(14, 30) : undefined;
  const isRevisited = eventRetentionDays !== undefined && random.chance(0.4);
  const within = (): number => startedAt + random.integer(0, busyMilliseconds);
  const outages = Array.from({ length: random.pick([0, 0, 1, 2]) }, (): Outage => {
    const from = within();
    return { service: random.pick(services), from, until: from + random.integer(5_000, 120_000) };
  });
  const deployedAt = within();
  const deployment = random.chance(0.6) ? chooseDeployment(random, deployedAt) : undefined;
  return {
    settings: {
      eventRetentionDays,
      eventMeanings: random.chance(0.3) ? { 'transaction.voided': 'refunded' } : {},
      changesSettleSeconds: 30,
      signatureHeader: 'x-service-signature',
    },
    faultRate: isCalm ? 0 : random.pick([0.02, 0.05, 0.05, 0.1]),
    killRate: isCalm ? 0 : random.pick([0.02, 0.05, 0.1]),
    outages: isCalm ? [] : outages,
    skewMillisecondsMax: random.pick([0, 200, 2_000]),
    receivesMax: random.pick([3, 6, 90]),
    feedRecordAgeSecondsMax: random.pick([60, 43_200, 43_200]),
    quietDays: isRevisited ? eventRetentionDays + random.integer(-1, 5) : undefined,
    deployment,
    compactRows: chooseCompactRows(random, deployment),
    feedLanes: random.pick([1, 1, 2, 8]),
    // The setting `feedWithinSeconds`, and the time that Lambda takes to look.
    feedWindowMilliseconds: random.pick([250, 1_250, 20_000]),
    orderBytesMax: random.chance(0.15) ? random.integer(700, 1_100) : itemBytesMax,
    ...(deployment?.of === 'reading' && rereadable),
  };
}

function chooseDeployment(random: Random, from: number): Deployment {
  const until = from + random.integer(10_000, 180_000);
  const of = random.pick(deployments);
  // Both versions have events to read.
  const middle = startedAt + random.integer(busyMilliseconds / 3, busyMilliseconds);
  return of === 'reading' ? { from: middle, until: middle, of } : { from, until, of };
}

/** A replay corrects what has its body, in an order that has room. */
const rereadable = { quietDays: undefined, orderBytesMax: itemBytesMax };

function chooseCompactRows(random: Random, deployment: Deployment | undefined): CompactRows {
  const [before, later] = [random.chance(0.5), random.chance(0.5)];
  // Old code refuses compact rows: they begin when none of it is left, as docs/deploy.md demands.
  if (deployment?.of === 'code') return { old: false, new: false, later };
  return { old: before, new: deployment === undefined ? before : !before, later };
}
