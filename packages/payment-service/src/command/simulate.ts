import { randomBytes } from 'node:crypto';
import { oneLine } from '../client/redaction.ts';
import type { DeliveryRecord } from '../simulator/delivery/notifier.ts';
import type { Attempt } from '../simulator/delivery/sender.ts';
import { createSimulator, type SeenRequest, type SimulatorOptions } from '../simulator/simulator.ts';
import { readSimulateOptions, type SimulateOptions } from './simulate-options.ts';

const log = (line: string): void => void process.stderr.write(`${line}\n`);
// A closed pipe must not stop the simulator.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** The simulator keeps nothing, so it can end at any moment. */
const end = () => process.exit(0);
process.on('SIGINT', end).on('SIGTERM', end);
// npm sends SIGTERM to the shell that runs the script, and the shell does not pass it on.
const parent = process.ppid;
if (process.env['npm_lifecycle_event'] !== undefined)
  setInterval(() => process.ppid === parent || end(), 500);

try {
  await run(readSimulateOptions(process.argv.slice(2)));
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

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
  const { port, signatureHeader } = options;
  const simulator = await start({
    accounts: [{ name: 'simulator', privateKey, sandboxKey, clients: [client] }],
    port,
    signatureHeader,
    onRequest: (seen) => log(requestLine(seen)),
    onAttempt: (attempt, record) => log(attemptLine(attempt, record)),
  });
  simulator.misbehave(options.misbehave);
  const { webhookUrl: url } = options;
  const enabledEvents = ['transaction.paid', 'transaction.refunded', 'transaction.failed'];
  for (const isLiveMode of url === undefined ? [] : [true, false]) {
    simulator.registerWebhook({ url: url ?? '', enabledEvents, isLiveMode });
  }
  process.stdout.write(`ready ${simulator.baseUrl}\n`);
  log(
    [
      `  live key      ${options.privateKey === undefined ? privateKey : 'as given'}`,
      `  sandbox key   ${options.sandboxKey === undefined ? sandboxKey : 'as given'}`,
      `  OAuth client  ${client.clientId}, ${client.clientSecret}`,
      `  OAuth tokens  ${client.accessToken}, ${client.refreshToken}`,
      `  webhooks      ${url ?? `none; register one with POST ${simulator.baseUrl}/api/v2/webhooks`}`,
      '  Send a sample event:',
      `curl -s ${simulator.baseUrl}/simulator/events -d '{"order_id":"order-1"}'`,
    ].join('\n'),
  );
}

async function start(options: SimulatorOptions) {
  try {
    return await createSimulator(options);
  } catch (cause) {
    const reasons: Record<string, string> = { EADDRINUSE: 'in use', EACCES: 'not permitted' };
    const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    throw new Error(`Port ${options.port} is ${reason} on 127.0.0.1; choose another with --port.`, { cause });
  }
}

function requestLine({ method, path, status, reason = '' }: SeenRequest): string {
  const line = `${new Date().toISOString()}  ${method.padEnd(6)} ${oneLine(path, 100)} → ${status}`;
  return `${line}  ${oneLine(reason, 60)}`.trimEnd();
}

function attemptLine({ at, number, result }: Attempt, { eventName, delivery }: DeliveryRecord): string {
  const outcome = 'status' in result ? result.status : oneLine(result.error, 60);
  const retry = delivery.retryAt === null ? '' : `, again at ${delivery.retryAt}`;
  return `${at}  sent   ${eventName}, attempt ${number} → ${outcome}, ${delivery.state}${retry}`;
}
