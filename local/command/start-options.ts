import { Command, InvalidArgumentError } from 'commander';
import { privateKeyPattern } from '../../lambdas/domain/signature.ts';

export interface StartOptions {
  readonly port: number;
  /** Left out: 4810, or any free one where that is taken. */
  readonly servicePort?: number;
  readonly dataDir?: string;
  readonly privateKey?: string;
  readonly sandboxKey?: string;
  readonly oauth: boolean;
  readonly demo: boolean;
}

export const defaultServicePort = 4810;

const examples = `
Examples:
  npm start                                   everything in memory, and a story of signed events to watch
  npm start -- --no-demo                      the same without the story
  npm start -- --data-dir ./data              keeps events, orders and keys; survives a kill -9
  npm start -- --port 4900 --private-key pri_x --sandbox-key pri_sandbox_y
  npm start -- --oauth                        asks the payment service with an OAuth token, and renews it

When it serves requests it writes one line to standard output: ready http://127.0.0.1:4800
  POST /webhooks/payments   takes events that are signed with one of the keys
  GET  /orders              what has changed since ?updated_since=, page by page
  GET  /orders/ORDER_ID     what became of an order (percent-encode the id)
  GET  /events/EVENT_ID     what is recorded about an event
  GET  /feed                each change of an order from now on, as Server-Sent Events; with the header
                            Last-Event-ID those behind that event, and behind 0 all that are kept
  GET  /stack               the outputs of the stack, and where its services are on this machine
  GET  /alarms              the stack's alarms over what its functions count, and which of them ring
  GET  /healthz             {"status":"ok"}
  GET  /                    the console

The payment service is simulated at http://127.0.0.1:4810 (npm run simulate -- --help runs it alone):
  /api/v2/…                 its API, where webhooks are registered; Basic, with the live key
  POST /simulator/events    {"order_id":"order-1"} sends a sample event to what is registered

Ctrl-C lets what is in flight finish and stops; a second Ctrl-C does not wait.
`;

/**
 * Reads the command line (without the program). On a wrong one, and for --help, it writes to the streams of
 * the process and exits, unless `configure` tells the command otherwise.
 */
export function readOptions(
  argv: readonly string[],
  configure: (command: Command) => void = () => {},
): StartOptions {
  const command = new Command('npm start --')
    .description(
      'Runs the whole pipeline in this process: the synthesised stack over local queues and tables.',
    )
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', readPort, 4800)
    .option(
      '--service-port <number>',
      'port of the simulated payment service; 0 takes any free one ' +
        `(default: ${defaultServicePort}, or a free one when that is taken)`,
      readPort,
    )
    .option('--oauth', 'the stack asks the payment service with an OAuth token, not the live key', false)
    .option('--data-dir <directory>', 'keeps the state in this folder (default: in memory)')
    .option('--private-key <key>', 'live key, pri_… (default: a generated one)')
    .option('--sandbox-key <key>', 'sandbox key, pri_sandbox_… (default: a generated one)')
    .option('--no-demo', 'registers no webhook and sends no events of its own')
    .addHelpText('after', examples);
  configure(command);
  const options = command.parse([...argv], { from: 'user' }).opts<StartOptions>();
  // Not by an argument parser: commander would print the value that it refuses, and these are secrets.
  const { privateKey, sandboxKey, dataDir } = options;
  const isSandbox = (key: string): boolean => key.startsWith('pri_sandbox_');
  if (privateKey !== undefined && (!privateKeyPattern.test(privateKey) || isSandbox(privateKey))) {
    command.error(
      "error: --private-key takes a live key: 'pri_' and printable ASCII, not a 'pri_sandbox_' key.",
    );
  }
  if (
    sandboxKey !== undefined &&
    !(privateKeyPattern.test(sandboxKey) && /^pri_sandbox_./.test(sandboxKey))
  ) {
    command.error("error: --sandbox-key takes a sandbox key: 'pri_sandbox_' and printable ASCII.");
  }
  if (dataDir === '') command.error('error: --data-dir takes the path of a folder.');
  return options;
}

function readPort(given: string): number {
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= 65_535) return port;
  throw new InvalidArgumentError('Expected a whole number from 0 to 65535.');
}
