import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';
import { createLiveLog } from '../../local/live-log/live-log.ts';
import { type Pipeline, startPipeline } from '../../local/pipeline/pipeline.ts';
import type { Operator, Texts } from '../../local/scenarios/scenario.ts';
import { alarmOf } from '../../local/scenarios/sights.ts';
import {
  createStage,
  type Deliver,
  type Fault,
  type Notification,
  postSigned,
  type Stage,
  sha256Of,
} from '../../local/scenarios/stage.ts';
import { createOperator } from './operator.ts';
import { commandOf } from './runbook.ts';
import { lastHeartbeat, messagesIn, settle } from './settled.ts';

const minuteMilliseconds = 60_000;
/** An alarm that counts faults over an hour ends within it; a level ends within minutes. */
const minutesUntilQuiet = 130;
/** Shorter than the time without a run after which a schedule has an alarm. */
const defaultMinutesPerStep = 8;

export type Theatre = Awaited<ReturnType<typeof openTheatre>>;

/** Local mode with an operator, a payment service that repeats what fails, and a clock that alarms go by. */
export async function openTheatre(say: (line: string) => void) {
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const faults: Fault[] = [];
  const acknowledged: Notification[] = [];
  const pending: Notification[] = [];
  const dataDirectory = await mkdtemp(join(tmpdir(), 'payhooks-drill-'));
  const settings: Record<string, string> = { expectWebhooksWithin: '6h', keepData: 'true' };
  const liveLog = createLiveLog({ write: () => {}, colours: false });

  async function deploy(port: number): Promise<Pipeline> {
    const deployed = await startPipeline({
      ...{ port, dataDirectory, settings, clock: now },
      ...{ privateKey: 'pri_drill', sandboxKey: 'pri_sandbox_drill' },
      service: { port: 0, otherwiseAnyPort: false, authentication: 'oauth' },
      // The first drill needs a verifier that has not read the keys, at its start or for a heartbeat.
      ...{ warm: false, firstScheduleMilliseconds: 30_000 },
      onLine: liveLog.onLine,
      onProgress: () => {},
    });
    // The simulated payment service forgets what was registered.
    const { baseUrl } = deployed;
    await createOperator({ baseUrl, now, say: () => {} })('payhooks webhooks register --yes');
    return deployed;
  }
  let pipeline = await deploy(0);
  const { baseUrl } = pipeline;
  const type = createOperator({ baseUrl, now, say });

  const deliver: Deliver = async (notification) => {
    const delivery = await postSigned(pipeline)(notification);
    if (delivery.state === 'delivered') acknowledged.push(notification);
    else if (notification.signer !== 'forger') pending.push(notification);
    return delivery;
  };
  const eventsWaiting = (): Promise<number> =>
    messagesIn(pipeline.clients.sqs, pipeline.resources.eventQueueUrl);
  /** Lets time pass for alarms and tokens, and runs every schedule after each step. */
  async function passMinutes(minutes: number, step = defaultMinutesPerStep): Promise<void> {
    await settle(async () => (await eventsWaiting()) === 0);
    for (let left = minutes; left > 0; left -= step) {
      offset += Math.min(left, step) * minuteMilliseconds;
      const last = await lastHeartbeat(baseUrl);
      await pipeline.runSchedules();
      await settle(async () => (await lastHeartbeat(baseUrl)) !== last);
    }
  }

  const operatorOf = (alarm: AlarmName): Operator => ({
    ...{ type, say },
    follow: (command, { section = alarm, values = {}, ...typing } = {}) =>
      type(commandOf(section, command, values), typing),
    async endFaults() {
      for (const { end, over } of faults.splice(0)) {
        say(over);
        await end();
      }
    },
    async redeploy(further: Texts) {
      await pipeline.stop();
      Object.assign(settings, further);
      pipeline = await deploy(Number(new URL(baseUrl).port));
    },
  });

  return {
    ...{ operatorOf, passMinutes },
    openStage(name: string): Stage {
      // What a command of the operator has ended.
      faults.length = 0;
      return createStage({
        ...{ pipeline, liveLog, deliver, orderId: `drill-${name}`, step: () => {} },
        async fail(fault) {
          faults.push(fault);
          await fault.begin();
        },
        signal: new AbortController().signal,
      });
    },
    /** The payment service delivers again what got no 2xx, and the queue what waits. */
    async untilRecorded({ until }: Stage): Promise<void> {
      async function retry(): Promise<number> {
        for (const notification of pending.splice(0)) await deliver(notification);
        return pending.length;
      }
      await until(
        retry,
        (count) => count === 0,
        (count) => `${count} webhooks do not get 202 again.`,
      );
      // Each has a back-off of its own in real time, heartbeats too, and alarms go by the oldest of them.
      await until(
        eventsWaiting,
        (count) => count === 0,
        (count) => `${count} messages are not recorded.`,
      );
    },
    /** Lets time pass until the alarm ends; resolves with the minutes. */
    async untilQuiet(stage: Stage, name: AlarmName): Promise<number> {
      for (let minutes = 0; minutes < minutesUntilQuiet; minutes += 1) {
        if ((await alarmOf(stage, name)).state === 'OK') return minutes;
        await passMinutes(1);
      }
      throw new Error(`${name} is still on after ${minutesUntilQuiet} minutes.`);
    },
    /** Checks that every acknowledged body is stored, byte for byte; resolves with how many there are. */
    async checkNothingLost(stage: Stage): Promise<number> {
      for (const notification of acknowledged)
        await stage.until(
          () => isStored(stage, notification),
          (stored) => stored,
          () => `The acknowledged event ${notification.event?.id ?? 'without an id'} is lost.`,
        );
      return acknowledged.length;
    },
    async close() {
      await pipeline.stop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

async function isStored({ operations }: Stage, { body, event, signer }: Notification): Promise<boolean> {
  const sha256 = sha256Of(body);
  const options = { mode: signer === 'sandbox' ? 'sandbox' : 'live' } as const;
  const found = event ? operations.event(event.id, options) : operations.unrecognisedBody(sha256, options);
  const { records } = await found.catch(() => ({ records: [] }));
  return records.some(({ body_sha256 }) => body_sha256 === sha256);
}
