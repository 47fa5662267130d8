import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';
import type { AlarmView } from '../../local/pipeline/alarms.ts';
import type { Pipeline } from '../../local/pipeline/pipeline.ts';
import { type Deployment, deploy } from './deployment.ts';
import { check, ExpectationError } from './expectation.ts';
import { createOperator, type Typed, type Typing } from './operator.ts';
import { commandOf } from './runbook.ts';
import { createSender } from './sender.ts';
import { lastHeartbeat, messagesIn, settle } from './settled.ts';

/** What a drill waits for, such as an alarm, comes within this time on a slow machine. */
const patienceMilliseconds = 90_000;
const pollMilliseconds = 250;
const minuteMilliseconds = 60_000;
/** An alarm that counts faults over an hour ends within it; a level ends within minutes. */
const minutesUntilQuiet = 130;
/** Shorter than the time without a run after which a schedule has an alarm. */
const minutesPerStep = 10;

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** Local mode with an operator, a payment service that can be trusted, and a clock that alarms go by. */
export async function openScene(say: (line: string) => void) {
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const ends: (() => unknown)[] = [];
  let transport = fetch;
  const privateKey = 'pri_drill';
  const dataDirectory = await mkdtemp(join(tmpdir(), 'payhooks-drill-'));
  const settings: Record<string, string> = { expectWebhooksWithin: '6h', keepData: 'true' };
  const deployTo = (port: number): Promise<Deployment> =>
    deploy({
      ...{ port, dataDirectory, privateKey, sandboxKey: 'pri_sandbox_drill', settings, clock: now },
      fetch: (input, init) => transport(input, init),
    });
  let deployed = await deployTo(0);
  const { baseUrl, resources } = deployed.pipeline;
  const sender = createSender(`${baseUrl}/webhooks/payments`, resources.signatureHeader);
  const type = createOperator({ baseUrl, now, say });

  const alarms = async (): Promise<readonly AlarmView[]> =>
    (await (await fetch(`${baseUrl}/alarms`)).json()) as readonly AlarmView[];
  const alarmOf = async (name: AlarmName): Promise<AlarmView> => {
    const found = (await alarms()).find((alarm) => alarm.name === name);
    if (found === undefined) throw new ExpectationError(`Local mode has no alarm ${name}.`);
    return found;
  };

  const eventsWaiting = (): Promise<number> =>
    messagesIn(deployed.sqs, deployed.pipeline.resources.eventQueueUrl);
  /** Lets time pass for alarms and tokens, and runs every schedule after each step. */
  const passMinutes = async (minutes: number, step = minutesPerStep): Promise<void> => {
    await settle(async () => (await eventsWaiting()) === 0);
    for (let left = minutes; left > 0; left -= step) {
      offset += Math.min(left, step) * minuteMilliseconds;
      const last = await lastHeartbeat(baseUrl);
      await deployed.pipeline.runSchedules();
      await settle(async () => (await lastHeartbeat(baseUrl)) !== last);
    }
  };
  /** Types a command that must exit with this code. */
  async function typeExpecting(command: string, expected = 0, typing: Typing = {}): Promise<Typed> {
    const typed = await type(command, typing);
    check(typed.exitCode === expected, `exit code ${expected} of ${command}, not ${typed.exitCode}`);
    return typed;
  }

  return {
    type: typeExpecting,
    ...{ privateKey, say },
    get pipeline() {
      return deployed.pipeline;
    },
    get lambda() {
      return deployed.lambda;
    },
    get logs() {
      return deployed.logs;
    },
    get sqs() {
      return deployed.sqs;
    },
    get secretsManager() {
      return deployed.secretsManager;
    },
    get dynamodb() {
      return deployed.dynamodb;
    },
    /** Deploys the stack again with further settings, over the same queues, tables and secrets. */
    async redeploy(further: Readonly<Record<string, string>>): Promise<void> {
      await deployed.close();
      Object.assign(settings, further);
      deployed = await deployTo(Number(new URL(baseUrl).port));
    },
    ...{ deliver: sender.deliver, forge: sender.forge, retry: sender.retry },
    ...{ passMinutes, eventsWaiting },
    /** A fault of a service of AWS, until `endFaults`. */
    fail(...[service, fault]: Parameters<Pipeline['fail']>): void {
      ends.push(deployed.pipeline.fail(service, fault));
    },
    /** How the payment service's notifications travel, until `endFaults`. */
    deliverThrough(send: typeof fetch, close: () => unknown): void {
      transport = send;
      ends.push(() => {
        transport = fetch;
        return close();
      });
    },
    endFaults(): void {
      for (const end of ends.splice(0)) end();
    },
    get: (path: string): Promise<Response> => fetch(`${baseUrl}${path}`),
    /** Types a command of the runbook's section as it stands there. */
    async follow(
      section: string,
      start: string,
      values: Readonly<Record<string, string>> = {},
      typing: Typing & { readonly expected?: number } = {},
    ): Promise<Typed> {
      return typeExpecting(commandOf(section, start, values), typing.expected ?? 0, typing);
    },
    /** Resolves once the alarm fires. */
    async untilFiring(name: AlarmName): Promise<AlarmView> {
      return until(
        () => alarmOf(name),
        ({ state }) => state === 'ALARM',
        `${name} fires`,
      );
    },
    /** Lets time pass for the alarms until this one ends. */
    async untilQuiet(name: AlarmName): Promise<number> {
      for (let minutes = 0; minutes < minutesUntilQuiet; minutes += 1) {
        if ((await alarmOf(name)).state === 'OK') return minutes;
        await passMinutes(1);
      }
      throw new ExpectationError(`${name} is still on after ${minutesUntilQuiet} minutes.`);
    },
    /** Checks that every acknowledged body is stored, byte for byte. */
    async checkNothingLost(): Promise<number> {
      check(sender.pending() === 0, 'no delivery is pending at the payment service');
      for (const { eventId, body } of sender.acknowledged()) {
        const sha256 = createHash('sha256').update(body).digest('hex');
        await until(
          () => storedHashes(baseUrl, eventId),
          (stored) => stored.includes(sha256),
          `the acknowledged event ${eventId} is stored`,
        );
      }
      return sender.acknowledged().length;
    },
    until,
    async close() {
      await deployed.close();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

/** The first result that passes. */
async function until<T>(
  attempt: () => Promise<T>,
  passes: (result: T) => boolean,
  expectation: string,
): Promise<T> {
  for (let waited = 0; waited < patienceMilliseconds; waited += pollMilliseconds) {
    const result = await attempt();
    if (passes(result)) return result;
    await pause(pollMilliseconds);
  }
  throw new ExpectationError(`Expected within ${patienceMilliseconds / 1_000} seconds: ${expectation}`);
}

/** The hashes of every body under an event id. */
async function storedHashes(baseUrl: string, eventId: string): Promise<readonly string[]> {
  const response = await fetch(`${baseUrl}/operations/events/${encodeURIComponent(eventId)}`);
  if (response.status === 404) return [];
  const { records } = (await response.json()) as { records: readonly { body_sha256: string }[] };
  return records.map(({ body_sha256 }) => body_sha256);
}
