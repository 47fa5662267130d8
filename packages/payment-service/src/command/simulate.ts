import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import type { DeliveryRecord } from '../simulator/delivery/notifier.ts';
import type { Attempt } from '../simulator/delivery/sender.ts';
import { createSimulator, type SeenRequest, type Simulator } from '../simulator/simulator.ts';
import { readSimulateOptions, type SimulateOptions } from './simulate-options.ts';
import { stopSignal } from './stop-signals.ts';

const log = (line: string): void => void process.stderr.write(`${line}\n`);
// A closed pipe must not stop the simulator.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const stopping = stopSignal(() => log('Stopping; Ctrl-C again stops without waiting …'));
try {
  await run(readSimulateOptions(process.argv.slice(2)));
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
// The check for the parent process would keep this one alive.
process.exit();

async function run(options: SimulateOptions): Promise<void> {
  const generated = (prefix: string): string => `${prefix}${randomBytes(12).toString('hex')}`;
  const { privateKey = generated('pri_'), sandboxKey = generated('pri_sandbox_') } = options;
  const client = {
    clientId: 'simulator',
    clientSecret: generated('secret_'),
    accessToken: generated('access_'),
    refreshToken: generated('refresh_'),
    scopes: options.scopes,
  };
  const simulator = await start(options, {
    name: 'simulator',
    privateKey,
    sandboxKey,
    clients: [client],
    active: !options.inactive,
    identityVerified: !options.unverified,
  });
  simulator.misbehave(options.misbehave);
  const { webhookUrl: url, events: enabledEvents } = options;
  for (const isLiveMode of url === undefined ? [] : [true, false]) {
    simulator.registerWebhook({ url: url ?? '', enabledEvents, isLiveMode });
  }
  process.stdout.write(`ready ${simulator.baseUrl}\n`);
  const shown = (given: string | undefined, key: string): string => (given === undefined ? key : 'as given');
  log(
    [
      `  live key      ${shown(options.privateKey, privateKey)}`,
      `  sandbox key   ${shown(options.sandboxKey, sandboxKey)}`,
      `  OAuth client  ${client.clientId}, ${client.clientSecret}`,
      `  OAuth tokens  ${client.accessToken}, ${client.refreshToken}`,
      `  webhooks      ${url ?? `none; register one with POST ${simulator.baseUrl}/api/v2/webhooks`}`,
      '  Send a sample event:',
      `curl -s ${simulator.baseUrl}/simulator/events -d '{"order_id":"order-1"}'`,
    ].join('\n'),
  );
  if (!stopping.aborted) await once(stopping, 'abort');
  await simulator.stop();
}

type AccountOptions = Parameters<typeof createSimulator>[0]['accounts'][number];

async function start(options: SimulateOptions, account: AccountOptions): Promise<Simulator> {
  const { port, seed, signatureHeader } = options;
  try {
    return await createSimulator({
      accounts: [account],
      port,
      seed,
      signatureHeader,
      onRequest: (seen) => log(requestLine(seen)),
      onAttempt: (attempt, record) => log(attemptLine(attempt, record)),
    });
  } catch (cause) {
    const reasons: Record<string, string> = { EADDRINUSE: 'in use', EACCES: 'not permitted' };
    const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    throw new Error(`Port ${port} is ${reason} on 127.0.0.1; choose another with --port.`, { cause });
  }
}

/** Safe on a terminal: without escape sequences, control and invisible characters, and cut to a length. */
function printable(text: string, charactersMax = 60): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .slice(0, charactersMax);
}

function requestLine({ method, path, status, reason }: SeenRequest): string {
  const why = reason === undefined ? '' : `  ${printable(reason)}`;
  return `${new Date().toISOString()}  ${method.padEnd(6)} ${printable(path, 100)} → ${status}${why}`;
}

function attemptLine({ at, number, result }: Attempt, { eventName, delivery }: DeliveryRecord): string {
  const outcome = 'status' in result ? String(result.status) : printable(result.error);
  const retry = delivery.retryAt === null ? '' : `, again at ${delivery.retryAt}`;
  return `${at}  sent   ${eventName}, attempt ${number} → ${outcome}, ${delivery.state}${retry}`;
}
