import { Command, InvalidArgumentError } from 'commander';
import { privateKeyPattern } from '../../lambdas/domain/signature.ts';

export interface StartOptions {
  readonly port: number;
  /** Default: 4810, or a free one when that is taken. */
  readonly servicePort?: number;
  readonly dataDir?: string;
  readonly privateKey?: string;
  readonly sandboxKey?: string;
  readonly oauth: boolean;
  readonly demo: boolean;
  /** Which deployment of the app to run. */
  readonly stack?: string;
  readonly id?: string;
}

export interface CommandLine {
  /** What the user types before the flags. */
  readonly command: string;
  readonly configure?: (command: Command) => void;
}

export const defaultServicePort = 4810;

const examples = `
Examples:
  npm start                                   everything in memory, and a demo with signed events
  npm start -- --no-demo                      without the demo
  npm start -- --data-dir ./data              keeps events, orders and keys, also through a kill -9
  npm start -- --port 4900 --private-key pri_x --sandbox-key pri_sandbox_y
  npm start -- --oauth                        calls the payment service with an OAuth token, and renews it

When it is ready it writes one line to standard output: ready http://127.0.0.1:4800
  POST /webhooks/payments   receives events that are signed with one of the keys
  GET  /orders              lists the orders that changed after ?updated_since=, page by page
  GET  /orders/ORDER_ID     shows an order (percent-encode the id)
  GET  /events/EVENT_ID     shows an event and its outcome
  …    /operations/…        what waits, and the acts of operators (docs/operations.openapi.yaml)
  GET  /feed                streams each change of an order as a Server-Sent Event. The header
                            Last-Event-ID continues after that event; 0 starts with the oldest one kept
  GET  /stack               the stack's outputs, and the addresses of its services on this machine
  GET  /alarms              the stack's alarms and their states
  GET  /series              what arrived and what was refused in the last hour, minute by minute
  GET  /healthz             {"status":"ok"}
  GET  /                    the console

The payment service is simulated at http://127.0.0.1:4810:
  /api/v2/…                 its API, where webhooks are registered; Basic authentication with the live key
  POST /simulator/events    {"order_id":"order-1"} sends a sample event to the registered webhooks

Ctrl-C finishes the requests and events in flight and stops; a second Ctrl-C stops at once.
`;

/** As wide as the command line's own. */
const examplesOf = (command: string): string =>
  command.startsWith('npm') ? examples : examples.replaceAll(/npm start(?: --| {3})/g, command);

/**
 * Reads the command line (without the program). For a wrong one and for --help it writes to the streams of
 * the process and exits, unless `configure` changes that.
 */
export function readOptions(
  argv: readonly string[],
  { command: typed, configure = () => {} }: CommandLine,
): StartOptions {
  const command = new Command(typed)
    .description(
      'Runs the whole pipeline in one process: the synthesised stack over local queues and tables.',
    )
    .option('--port <number>', 'port on 127.0.0.1; 0 takes a free one', readPort, 4800)
    .option(
      '--service-port <number>',
      'port of the simulated payment service; 0 takes a free one ' +
        `(default: ${defaultServicePort}, or a free one when that is taken)`,
      readPort,
    )
    .option('--oauth', 'call the payment service with an OAuth token instead of the live key', false)
    .option('--data-dir <directory>', 'keep the state in this folder (default: in memory)')
    .option('--private-key <key>', 'live key, pri_… (default: generated)')
    .option('--sandbox-key <key>', 'sandbox key, pri_sandbox_… (default: generated)')
    .option('--no-demo', 'register no webhook and send no demo events')
    .option('--stack <name>', 'the deployment of the app to run, where it has several: STACK or STACK/ID')
    .addHelpText('after', examplesOf(typed));
  configure(command);
  const options = command.parse([...argv], { from: 'user' }).opts<StartOptions>();
  checkKeys(options, (message) => command.error(message));
  if (options.dataDir === '') command.error('error: --data-dir is empty. Give it the path of a folder.');
  return options;
}

/** Not an argument parser of commander, which prints the value that it refuses: these are secrets. */
function checkKeys({ privateKey, sandboxKey }: StartOptions, fail: (message: string) => void): void {
  const isKey = (key: string): boolean => privateKeyPattern.test(key);
  if (privateKey !== undefined && (!isKey(privateKey) || privateKey.startsWith('pri_sandbox_'))) {
    fail("error: --private-key takes a live key: 'pri_' and printable ASCII, not a 'pri_sandbox_' key.");
  }
  if (sandboxKey !== undefined && !(isKey(sandboxKey) && /^pri_sandbox_./.test(sandboxKey))) {
    fail("error: --sandbox-key takes a sandbox key: 'pri_sandbox_' and printable ASCII.");
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Expected a whole number from 0 to 65535.');
}
