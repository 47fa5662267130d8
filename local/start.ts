import { once } from 'node:events';
import { defaultServicePort, readOptions, type StartOptions } from './command/start-options.ts';
import { onStopSignals } from './command/stop-signals.ts';
import { createConsole } from './console/console.ts';
import { tellStory } from './demo/story.ts';
import { createLiveLog } from './live-log/live-log.ts';
import { stackName } from './pipeline/environment.ts';
import { type Pipeline, startPipeline } from './pipeline/pipeline.ts';

type Write = (text: string) => void;

/** What is kept for a reader of the output that does not read. */
const unreadBytesMax = 1024 * 1024;
/** How long the rest of the output may take to be read when everything has stopped. */
const unreadMilliseconds = 1_000;

const write = createWriter(process.stdout);
const tell = createWriter(process.stderr);
const stopping = onStopSignals(() => tell('Stopping; Ctrl-C again stops without waiting …\n'));
try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!stopping.aborted) {
    tell(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
// What nobody reads must not keep the process: by now there is nothing else left to do.
setTimeout(() => process.exit(), unreadMilliseconds).unref();

/** Resolves when it was told to stop and everything has stopped. */
async function run(options: StartOptions): Promise<void> {
  let baseUrl = '';
  const liveLog = createLiveLog({
    write,
    colours: process.stdout.isTTY && process.stdout.hasColors(),
    localCommand: (command) => command.replace(` --stack ${stackName}`, ` --local ${baseUrl}`),
  });
  const page = createConsole(liveLog);
  const pipeline = await startPipeline({
    port: options.port,
    dataDirectory: options.dataDir,
    privateKey: options.privateKey,
    sandboxKey: options.sandboxKey,
    service: {
      port: options.servicePort ?? defaultServicePort,
      otherwiseAnyPort: options.servicePort === undefined,
      authentication: options.oauth ? 'oauth' : 'private-key',
    },
    onLine: liveLog.onLine,
    onProgress: (sentence) => tell(`${sentence}\n`),
    localHandler: page.handle,
    signal: stopping,
  });
  ({ baseUrl } = pipeline);
  const { keys, resources, simulator } = pipeline;
  write(`ready ${baseUrl}\n`);
  write(`${introduction(pipeline, options)}\n`);
  const story = options.demo
    ? tellStory({
        baseUrl,
        paymentService: simulator,
        privateKey: keys.live,
        sandboxKey: keys.sandbox,
        signatureHeader: resources.signatureHeader,
        showKey: options.privateKey === undefined,
        write,
        signal: stopping,
        liveLog,
      }).catch((error: unknown) => tell(`The story ended early: ${String(error)}\n`))
    : undefined;
  if (!stopping.aborted) await once(stopping, 'abort');
  await story;
  page.close();
  await pipeline.stop();
}

/** Where everything is. A key that somebody brought along is not shown. */
function introduction({ baseUrl, keys, resources, simulator }: Pipeline, options: StartOptions): string {
  const shown = (given: string | undefined, key: string): string => (given === undefined ? key : 'as given');
  return [
    `  console       ${baseUrl}/`,
    `  webhooks      POST ${baseUrl}/webhooks/payments, signed in the header ${resources.signatureHeader}`,
    `  orders        GET ${baseUrl}/orders, and what changes in them: GET ${baseUrl}/feed`,
    `  service       ${simulator.baseUrl}, a simulator that keeps nothing: each run begins without webhooks`,
    `  live key      ${shown(options.privateKey, keys.live)}`,
    `  sandbox key   ${shown(options.sandboxKey, keys.sandbox)}`,
    `  data          ${options.dataDir ?? 'in memory; --data-dir DIR keeps it'}`,
  ].join('\n');
}

/**
 * A reader that has gone, or that stops reading after `ready`, must not stop the pipeline or make it grow.
 */
function createWriter(stream: NodeJS.WriteStream): Write {
  stream.on('error', () => {});
  return (text) => {
    if (stream.writableLength < unreadBytesMax) stream.write(text);
  };
}
