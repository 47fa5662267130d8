import { Command, InvalidArgumentError } from 'commander';
import { privateKeyPattern } from '../../../../lambdas/domain/signature.ts';
import { eventNamePattern, parseJson, readUrl } from '../simulator/api/webhook-request.ts';
import { assumedScopes } from '../simulator/assumptions.ts';
import {
  type Misbehaviour,
  misbehaviourKinds,
  readMisbehaviours,
} from '../simulator/delivery/misbehaviour.ts';

export interface SimulateOptions {
  readonly port: number;
  readonly privateKey?: string;
  readonly sandboxKey?: string;
  readonly webhookUrl?: string;
  readonly events: readonly string[];
  readonly scopes: readonly string[];
  readonly signatureHeader: string;
  readonly seed: number;
  readonly misbehave: readonly Misbehaviour[];
  readonly inactive: boolean;
  readonly unverified: boolean;
}

const examples = `
npm start runs one of its own, at the same address; this one is for the client and for other receivers.

Examples:
  npm run simulate -- --private-key pri_x
  npm run simulate -- --webhook-url http://127.0.0.1:4800/webhooks/payments
  npm run simulate -- --misbehave '[{"kind":"duplicate","copies":2,"share":0.5}]'
  npm run simulate -- --scopes none        with an OAuth token 403, but for account/me

When it serves requests it writes one line to standard output: ready http://127.0.0.1:4810
What is needed to use it, and what happens from then on, goes to standard error.
  /api/v2/…                 the payment service, as its API document has it
  POST /simulator/events    {"order_id":"order-1","event_name":"transaction.paid"} sends a sample event
  PUT  /simulator/misbehaviours   a list as --misbehave takes it; [] is good behaviour
  POST /simulator/flush     lets go of what is held back for a reordering or a burst
  GET  /simulator/deliveries      every delivery, with its attempts and the pending retry

Misbehaviours: ${misbehaviourKinds.join(', ')}.
Each takes a share from 0 to 1. The other fields:
packages/payment-service/src/simulator/delivery/misbehaviour.ts

Ctrl-C stops; a second Ctrl-C does not wait.
`;

/**
 * Reads the command line (without the program). On a wrong one, and for --help, it writes to the streams of
 * the process and exits, unless `configure` tells the command otherwise.
 */
export function readSimulateOptions(
  argv: readonly string[],
  configure: (command: Command) => void = () => {},
): SimulateOptions {
  const scopes = [...new Set(['view-webhooks', ...Object.values(assumedScopes)])];
  const command = new Command('npm run simulate --')
    .description('Runs a simulator of the payment service (API v2) on this machine, with one account.')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', readPort, 4810)
    .option('--private-key <key>', 'live key, pri_… (default: a generated one)')
    .option('--sandbox-key <key>', 'sandbox key, pri_sandbox_… (default: a generated one)')
    .option('--webhook-url <url>', 'registers this URL, for live and for sandbox events', readWebhookUrl)
    .option('--events <names>', 'what it is registered for, joined by commas', readEventNames, [
      'transaction.paid',
      'transaction.refunded',
      'transaction.failed',
    ])
    .option('--scopes <names>', 'scopes of the OAuth client, joined by commas, or none', readScopes, scopes)
    .option('--signature-header <name>', 'header of the signature', readHeader, 'X-SERVICE-SIGNATURE')
    .option('--seed <number>', 'decides what misbehaving leaves to chance', readSeed, 1)
    .option('--misbehave <json>', 'a list of misbehaviours', readList, [])
    .option('--inactive', 'the account is inactive: 403', false)
    .option('--unverified', "the account's identity is not verified: 403", false)
    .addHelpText('after', examples);
  configure(command);
  const options = command.parse([...argv], { from: 'user' }).opts<SimulateOptions>();
  // Not by an argument parser: commander would print the value that it refuses, and these are secrets.
  const { privateKey, sandboxKey } = options;
  const fits = (key: string): boolean => privateKeyPattern.test(key) && !key.includes(':');
  if (privateKey !== undefined && (!fits(privateKey) || privateKey.startsWith('pri_sandbox_'))) {
    command.error("error: --private-key takes a live key: 'pri_' and printable ASCII without a colon.");
  }
  if (sandboxKey !== undefined && !(fits(sandboxKey) && /^pri_sandbox_./.test(sandboxKey))) {
    command.error("error: --sandbox-key takes a sandbox key: 'pri_sandbox_' and printable ASCII.");
  }
  return options;
}

function readPort(given: string): number {
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= 65_535) return port;
  throw new InvalidArgumentError('Expected a whole number from 0 to 65535.');
}

function readWebhookUrl(given: string): string {
  if (readUrl(given).ok) return given;
  throw new InvalidArgumentError('Expected an https URL; http only for a loopback address.');
}

function readEventNames(given: string): readonly string[] {
  const names = [...new Set(given.split(','))];
  if (names.every((name) => eventNamePattern.test(name))) return names;
  throw new InvalidArgumentError('Expected names such as transaction.paid,transaction.refunded.');
}

function readScopes(given: string): readonly string[] {
  if (given === 'none') return [];
  const names = given.split(',');
  if (names.every((name) => /^[a-z-]+$/.test(name))) return names;
  throw new InvalidArgumentError('Expected names such as view-webhooks,create-webhooks, or none.');
}

function readHeader(given: string): string {
  if (/^[\w-]{1,100}$/.test(given)) return given;
  throw new InvalidArgumentError('Expected the name of a header.');
}

function readSeed(given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new InvalidArgumentError('Expected a whole number of up to nine digits.');
}

function readList(given: string): readonly Misbehaviour[] {
  const list = readMisbehaviours(parseJson(given));
  if (typeof list !== 'string') return list;
  throw new InvalidArgumentError(list);
}
