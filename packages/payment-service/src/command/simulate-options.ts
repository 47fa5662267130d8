import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { assumedScopes } from '../assumptions.ts';
import { checkJson, parseJson, sentenceOf, textLike } from '../json.ts';
import { webhookUrl } from '../simulator/account/webhooks.ts';
import {
  type Misbehaviour,
  misbehaviourKinds,
  misbehavioursSchema,
} from '../simulator/delivery/misbehaviour.ts';

export interface SimulateOptions {
  readonly port: number;
  readonly privateKey?: string;
  readonly sandboxKey?: string;
  readonly webhookUrl?: string;
  readonly scopes: readonly string[];
  readonly signatureHeader: string;
  readonly misbehave: readonly Misbehaviour[];
}

const examples = `
npm start runs its own simulator at the same address.

Examples:
  npm run simulate -- --webhook-url http://127.0.0.1:4800/webhooks/payments
  npm run simulate -- --misbehave '[{"kind":"duplicate","copies":2}]'
  npm run simulate -- --scopes none        403 for the OAuth token, except for account/me

Prints one line to standard output when it is ready: ready http://127.0.0.1:4810
Keys, tokens and a log of requests and deliveries go to standard error.
  /api/v2/…                       the payment service of the API document
  POST /simulator/events          {"order_id":"order-1","event_name":"transaction.paid"} sends a sample event
  PUT  /simulator/misbehaviours   a list like that of --misbehave; [] is good behaviour
  GET  /simulator/deliveries      every delivery, with its attempts and the pending retry

Misbehaviours: ${misbehaviourKinds.join(', ')}.
For their fields see packages/payment-service/src/simulator/delivery/misbehaviour.ts
`;

/** Reads the command line (without the program). Writes errors and --help and exits, like commander. */
export function readSimulateOptions(
  argv: readonly string[],
  configure: (command: Command) => void = () => {},
): SimulateOptions {
  const command = new Command('npm run simulate --')
    .description('Runs a simulator of the payment service (API v2) on this machine, with one account.')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', readPort, 4810)
    // The simulator checks keys: commander would print the values that it refuses.
    .option('--private-key <key>', 'live key, pri_… (default: a generated one)')
    .option('--sandbox-key <key>', 'sandbox key, pri_sandbox_… (default: a generated one)')
    .option('--webhook-url <url>', 'registers this URL, for live and for sandbox events', readWebhookUrl)
    .option(
      '--scopes <names>',
      'scopes of the OAuth client, or none',
      readScopes,
      Object.values(assumedScopes),
    )
    .option('--signature-header <name>', 'header of the signature', readHeader, 'X-SERVICE-SIGNATURE')
    .option('--misbehave <json>', 'a list of misbehaviours', readMisbehaviours, [])
    .addHelpText('after', examples);
  configure(command);
  return command.parse([...argv], { from: 'user' }).opts<SimulateOptions>();
}

/** A parser of option values. commander prints the sentence together with the value. */
function parser<Schema extends v.GenericSchema>(schema: Schema) {
  return function parse(given: string): v.InferOutput<Schema> {
    const checked = checkJson(schema, given);
    if (checked.ok) return checked.value;
    throw new InvalidArgumentError(`Expected ${checked.mismatch.expected}.`);
  };
}

const portRule = 'a whole number from 0 to 65535';
const readPort = parser(
  v.pipe(textLike(/^\d{1,5}$/, portRule), v.transform(Number), v.maxValue(65_535, portRule)),
);
const readHeader = parser(textLike(/^[\w-]{1,100}$/, 'the name of a header'));
const readWebhookUrl = parser(webhookUrl);
const scopeRule = 'names such as view-webhooks,create-webhooks, or none';
const scopeNames = parser(
  v.pipe(
    textLike(/^[a-z-]+(,[a-z-]+)*$/, scopeRule),
    v.transform((given) => [...new Set(given.split(','))]),
  ),
);
const readScopes = (given: string): readonly string[] => (given === 'none' ? [] : scopeNames(given));

function readMisbehaviours(given: string): readonly Misbehaviour[] {
  const checked = checkJson(misbehavioursSchema, parseJson(given));
  if (checked.ok) return checked.value;
  throw new InvalidArgumentError(`${sentenceOf(checked.mismatch)}.`);
}
