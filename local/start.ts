import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { localStack } from '../console/server/local-stack.ts';
import { createConsoleServer } from '../console/server/server.ts';
import { defaultServicePort, readOptions, type StartOptions } from './command/start-options.ts';
import { onStopSignals } from './command/stop-signals.ts';
import { runDemo } from './demo/demo.ts';
import { type Laboratory, laboratoryRoutes, openLaboratory } from './laboratory/laboratory.ts';
import { createLiveLog, type LiveLog } from './live-log/live-log.ts';
import { type Pipeline, startPipeline } from './pipeline/pipeline.ts';

/** How much is kept for a reader of the output that has stopped reading. */
const unreadBytesMax = 1024 * 1024;
/** How long a slow reader may take for the rest of the output after everything has stopped. */
const unreadMilliseconds = 1_000;

const write = createWriter(process.stdout);
const writeError = createWriter(process.stderr);

export interface LocalMode {
  /** The flags. */
  readonly argv: readonly string[];
  /** What the user types before them. */
  readonly command: string;
  /** The folder of a CDK app with payhooks in it; by default this repository. */
  readonly project?: string;
}

/** Runs local mode until a signal stops it, and returns the exit code. Nothing is left running then. */
export async function runLocalMode({ argv, command, project }: LocalMode): Promise<0 | 1> {
  const options = readOptions(argv, { command });
  const stopping = onStopSignals(() =>
    writeError('Stopping; press Ctrl-C again to stop without waiting …\n'),
  );
  try {
    await run({ ...options, project }, stopping);
    return 0;
  } catch (error) {
    if (stopping.aborted) return 0;
    writeError(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    setTimeout(() => process.exit(), unreadMilliseconds).unref();
  }
}

type Running = StartOptions & { readonly project: string | undefined };

async function run(options: Running, stopping: AbortSignal): Promise<void> {
  let baseUrl = '';
  const liveLog = createLiveLog({
    write,
    colours: process.stdout.isTTY && process.stdout.hasColors(),
    localCommand: (command) => command.replace(/ --stack \S+/, ` --local ${baseUrl}`),
  });
  let laboratory: Laboratory | undefined;
  const page = createConsoleServer({
    stack: localStack(() => baseUrl),
    env: process.env,
    log: liveLog,
    laboratory: laboratoryRoutes(() => laboratory),
  });
  const pipeline = await startPipeline({
    port: options.port,
    dataDirectory: options.dataDir,
    privateKey: options.privateKey,
    sandboxKey: options.sandboxKey,
    project: options.project,
    deployment: options,
    service: {
      port: options.servicePort ?? defaultServicePort,
      otherwiseAnyPort: options.servicePort === undefined,
      authentication: options.oauth ? 'oauth' : undefined,
    },
    onLine: liveLog.onLine,
    onProgress: (sentence) => writeError(`${sentence}\n`),
    localHandler: page.handle,
    signal: stopping,
  });
  ({ baseUrl } = pipeline);
  laboratory = openLaboratory(pipeline, liveLog);
  write(`ready ${baseUrl}\n${overview(pipeline, options)}`);
  // Now, because a process that is killed writes nothing.
  flushCompileCache();
  const demo = options.demo ? startDemo(pipeline, liveLog, stopping) : undefined;
  if (!stopping.aborted) await once(stopping, 'abort');
  await demo;
  await laboratory.close();
  await pipeline.stop();
}

/** Where everything is. A key that was given is not shown. */
function overview({ baseUrl, keys, resources, simulator }: Pipeline, options: StartOptions): string {
  const shown = (given: string | undefined, key: string): string => (given === undefined ? key : 'as given');
  const lines = [
    ['console', `${baseUrl}/`],
    ['webhooks', `POST ${baseUrl}/webhooks/payments, signed in the header ${resources.signatureHeader}`],
    ['orders', `GET ${baseUrl}/orders, and their changes: GET ${baseUrl}/feed`],
    ['service', `${simulator.baseUrl} simulates the payment service; each run starts without webhooks`],
    ['live key', shown(options.privateKey, keys.live)],
    ['sandbox key', shown(options.sandboxKey, keys.sandbox)],
    ['data', options.dataDir ?? 'in memory; --data-dir DIR keeps it'],
  ];
  return lines.map(([name = '', text]) => `  ${name.padEnd(13)} ${text}\n`).join('');
}

async function startDemo(pipeline: Pipeline, liveLog: LiveLog, signal: AbortSignal): Promise<void> {
  try {
    await runDemo({ pipeline, write, signal, liveLog });
  } catch (error) {
    writeError(`The demo ended early: ${String(error)}\n`);
  }
}

/** A reader that is gone, or stops reading after `ready`, neither stops the pipeline nor makes it grow. */
function createWriter(stream: NodeJS.WriteStream) {
  stream.on('error', () => {});
  return function writeUnlessFull(text: string): void {
    if (stream.writableLength < unreadBytesMax) stream.write(text);
  };
}

if (import.meta.main)
  process.exitCode = await runLocalMode({ argv: process.argv.slice(2), command: 'npm start --' });
