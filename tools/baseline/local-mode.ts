import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { median, ratio, table } from './measurements.ts';
import type { Usage } from './report-usage.ts';
import { privateKey } from './stack.ts';

const webhooksPerRound = 300;
const rounds = 5;
const warmUpWebhooks = 1_000;
/** As many senders as a developer's load test has: enough for batches to form. */
const concurrency = 16;

interface Measured {
  readonly main: string;
  readonly arguments: readonly string[];
  /** What it prints when it has done all of its work for a webhook. */
  readonly done: RegExp;
  /** The folder that it runs in. */
  readonly folder: string;
}

const folder = join(import.meta.dirname, '..', '..');
const given = ['--no-demo', '--port', '0', '--service-port', '0', '--private-key', privateKey];
const pipelines: Readonly<Record<string, Measured>> = {
  baseline: { main: 'tools/baseline/local-baseline.ts', arguments: [], done: /"Event recorded"/g, folder },
  payhooks: { main: 'local/start.ts', arguments: given, done: / published /g, folder },
};

/** The functions of both pipelines, by the names of their threads. */
const functionNames = {
  'the function that receives': /^(Verifier|Receive)/,
  'the function that records': /^(Consumer|Record)/,
  'the order feed': /^OrderFeed/,
  'functions that run on a schedule': /^(?!Verifier|Receive|Consumer|Record|OrderFeed)/,
};

/** CPU time per webhook in milliseconds, by what takes it, and webhooks per second. */
type Used = Readonly<Record<string, number>>;

const emulators = 'HTTP, emulators, queue and log lines: the main thread';
const engine = 'V8: compiled code and garbage of all threads';
const all = 'CPU time of all threads';
const perSecond = 'recorded per second';

/** What all parts have used, by their titles. */
function partsOf({ all: everything, main, workers }: Usage): Used {
  const inWorkers = Object.entries(functionNames).map(([title, names]) => {
    const times = workers.filter(([name]) => names.test(name)).map(([, time]) => time);
    return [title, times.reduce((sum, time) => sum + time, 0)] as const;
  });
  const rest = everything - main - inWorkers.reduce((sum, [, time]) => sum + time, 0);
  return { ...Object.fromEntries(inWorkers), [emulators]: main, [engine]: rest, [all]: everything };
}

/** Webhooks over HTTP through pipelines in the same emulators, in turn, once they are warm. */
export async function measureLocalMode(measured = pipelines) {
  const started = Object.entries(measured).map(async ([name, one]) => ({ name, ...(await start(one)) }));
  const running = await Promise.all(started);
  const used = new Map(running.map(({ name }): [string, Used[]] => [name, []]));
  try {
    for (const one of running) await one.take(warmUpWebhooks);
    for (let round = 0; round < rounds; round += 1)
      for (const { name, take } of running) used.get(name)?.push(await take(webhooksPerRound));
    return Object.fromEntries(used);
  } finally {
    for (const one of running) await one.stop();
  }
}

async function start({ main, arguments: given, done, folder: cwd }: Measured) {
  const preload = join(import.meta.dirname, 'report-usage.ts');
  const all = ['--conditions=payhooks-source', '--import', preload, main, ...given];
  const child = spawn(process.execPath, all, { cwd, stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  const output = followOutput(child);
  const [, baseUrl = ''] = await output.find(/^ready (\S+)$/m);
  const [, header = ''] = await output.find(/signed in the header (\S+)$/m);
  const send = createSender(`${baseUrl}/webhooks/payments`, header);
  let sent = 0;
  return {
    async take(webhooks: number): Promise<Used> {
      const bodies = Array.from({ length: webhooks }, (_, index) =>
        bytesOf(paidEvent({ orderId: `order-${sent + index}`, seed: `local ${sent + index}` })),
      );
      sent += webhooks;
      const [before, since] = [await usageOf(child), performance.now()];
      const recorded = output.count(done, webhooks);
      const sendAll = async (): Promise<void> => {
        for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) await send(body);
      };
      await Promise.all([recorded, ...Array.from({ length: concurrency }, sendAll)]);
      const seconds = (performance.now() - since) / 1000;
      const used = Object.entries(await usageOf(child)).map(([title, time]) => {
        return [title, (time - (before[title] ?? 0)) / webhooks];
      });
      return { ...Object.fromEntries(used), [perSecond]: webhooks / seconds };
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function usageOf(child: ChildProcess): Promise<Used> {
  const response = once(child, 'message');
  child.send('usage');
  return partsOf((await response)[0]);
}

/** Waits for what a process prints. */
function followOutput(child: ChildProcess) {
  let unread = '';
  let look = (): void => {};
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    unread += chunk;
    look();
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`A measured pipeline has ended:\n${unread}`);
  });
  ended.catch(() => {});
  const until = async (isEnough: () => boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    look = () => isEnough() && resolve();
    look();
    await Promise.race([promise, ended]);
    look = () => {};
  };
  return {
    async find(pattern: RegExp): Promise<RegExpExecArray> {
      await until(() => pattern.test(unread));
      return pattern.exec(unread) as RegExpExecArray;
    },
    /** Resolves when the pattern was printed this many times more. */
    async count(pattern: RegExp, times: number): Promise<void> {
      let found = 0;
      unread = '';
      await until(() => {
        const complete = unread.lastIndexOf('\n') + 1;
        found += unread.slice(0, complete).match(pattern)?.length ?? 0;
        unread = unread.slice(complete);
        return found >= times;
      });
    },
  };
}

function createSender(url: string, header: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const key = createSigningKey(privateKey);
  return async function send(body: Uint8Array): Promise<void> {
    const headers = { 'content-type': 'application/json', [header]: sign(key, body) };
    const sent = request(url, { agent, method: 'POST', headers }).end(body);
    const [response] = await once(sent, 'response');
    const answer = await text(response);
    // On a busy machine the queue may respond too late; a payment service sends the webhook again then.
    if (response.statusCode === 503) return send(body);
    if (response.statusCode !== 202) throw new Error(`${url} returned ${response.statusCode}: ${answer}`);
  };
}

export function localModeTable(measured: Awaited<ReturnType<typeof measureLocalMode>>): string {
  const row = (title: string, unit: string): string[] => {
    const of = (name: string): number => median((measured[name] ?? []).map((one) => one[title] ?? 0));
    const [usual, own] = [of('baseline'), of('payhooks')];
    const shown = (value: number): string => (value === 0 ? '–' : `${value.toFixed(1)}${unit}`);
    return [title, shown(usual), shown(own), usual === 0 ? '–' : ratio(own, usual)];
  };
  return table('a webhook in local mode | baseline | payhooks | payhooks ÷ baseline', [
    ...[...Object.keys(functionNames), emulators, engine, all].map((title) => row(title, ' ms')),
    row(perSecond, ''),
  ]);
}
