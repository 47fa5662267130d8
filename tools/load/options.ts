import { OptionError, readFlags, readWholeNumber } from '../command-line.ts';

export interface LoadOptions {
  readonly seconds: number;
  /** Ends the load after so many webhooks instead. */
  readonly webhooks: number | undefined;
  readonly connections: number;
  /** Webhooks per second that are offered; as many as the connections can send by default. */
  readonly rate: number | undefined;
  /** The file of the picture. */
  readonly picture: string | undefined;
  readonly isHelp: boolean;
}

const secondsByDefault = 30;
const connectionsByDefault = 16;
const secondsMax = 3_600;
const webhooksMax = 1_000_000;
const connectionsMax = 2_000;
const rateMax = 10_000;

export const usage = `npm run load -- [--seconds N | --webhooks N] [--connections N] [--rate N]
                [--picture FILE]

Starts local mode in a process of its own, sends signed webhooks to it, waits until its queue is empty, and
checks that every acknowledged event is recorded exactly once. The exit code is 1 when one is not.

  --seconds N      how long to send (${secondsByDefault} by default)
  --webhooks N     how many webhooks to send instead
  --connections N  how many webhooks are under way at a time (${connectionsByDefault} by default)
  --rate N         how many webhooks to offer per second (by default as many as the connections can send)
  --picture FILE   draw throughput, latency and memory over time as an SVG image
  --help           print this
`;

const flags = {
  seconds: { type: 'string' },
  webhooks: { type: 'string' },
  connections: { type: 'string' },
  rate: { type: 'string' },
  picture: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function readOptions(args: readonly string[]): LoadOptions {
  const values = readFlags(args, flags);
  const connections =
    readWholeNumber('--connections', values.connections, connectionsMax) ?? connectionsByDefault;
  const webhooks = readWholeNumber('--webhooks', values.webhooks, webhooksMax);
  if (webhooks !== undefined && values.seconds !== undefined)
    throw new OptionError('--seconds and --webhooks both end the load; expected one of them.');
  if (webhooks !== undefined && webhooks < connections)
    throw new OptionError(
      `--webhooks is ${webhooks}, fewer than ${connections} connections; expected --connections ${webhooks}.`,
    );
  return {
    webhooks,
    seconds: readWholeNumber('--seconds', values.seconds, secondsMax) ?? secondsByDefault,
    connections,
    rate: readWholeNumber('--rate', values.rate, rateMax),
    picture: readFile(values.picture),
    isHelp: values.help,
  };
}

function readFile(given: string | undefined): string | undefined {
  if (given === undefined || given.endsWith('.svg')) return given;
  throw new OptionError(`--picture is ${JSON.stringify(given)}; expected a file name that ends in .svg.`);
}
