import { join } from 'node:path';
import { type Emulators, type Endpoints, startEmulators } from '../emulators/emulators.ts';
import { createResources } from '../emulators/resources.ts';
import { createFeed } from '../feed/feed.ts';
import { type HttpFront, type LocalHandler, openHttpFront } from '../http-front/http-front.ts';
import type { StackModel } from '../template/model.ts';
import { readTemplate } from '../template/template.ts';
import { type DataDirectory, generateKeys, openDataDirectory, type PrivateKeys } from './data-directory.ts';
import { createFunctions } from './functions.ts';
import { putKeys } from './key-secret.ts';
import { startMappings } from './mappings.ts';
import { findResources, type PipelineResources } from './resources.ts';
import { allSettled } from './settled.ts';
import { type Synthesis, synthesise } from './synthesise.ts';

/** The pipeline cannot be started; the message says what to do about it. */
export class PipelineError extends Error {
  override readonly name = 'PipelineError';
}

export interface PipelineOptions {
  /** On 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** Keeps the state in this folder; in memory without it. */
  readonly dataDirectory?: string | undefined;
  /** Without them generated ones, which a data directory keeps. */
  readonly privateKey?: string | undefined;
  readonly sandboxKey?: string | undefined;
  /** Takes what a function writes, under the name of its stage. */
  readonly onLine: (functionName: string, line: string) => void;
  /** Takes a sentence for each step of the start, and for each fault later. */
  readonly onProgress: (sentence: string) => void;
  /** Answers what is no route of the template. */
  readonly localHandler?: LocalHandler;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
}

export interface Pipeline {
  readonly baseUrl: string;
  readonly endpoints: Endpoints;
  readonly resources: PipelineResources;
  readonly keys: PrivateKeys;
  /** Lets what is in flight finish, and leaves nothing running. */
  stop(): Promise<void>;
}

/** How to close what is open, in the order of its opening. */
type Closing = (() => Promise<void> | void)[];

/**
 * Starts everything in this process: the template's queues, tables, secrets, functions, mappings and routes.
 * Rejects with an error of one of its parts, and then nothing is left running.
 */
export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const front = await openFront(options.port);
  const closing: Closing = [];
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= closeAll(front, closing);
    return stopping;
  };
  try {
    return { ...(await startParts(options, front, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  options: PipelineOptions,
  front: HttpFront,
  closing: Closing,
): Promise<Omit<Pipeline, 'stop'>> {
  const data = await openData(options.dataDirectory, closing);
  const keys = await chooseKeys(options, data);
  const { synthesis, emulators } = await prepare(options, data, closing);
  const model = readTemplate(synthesis.template, {
    directory: synthesis.directory,
    addresses: { sqsEndpoint: emulators.endpoints.sqs, baseUrl: front.baseUrl },
  });
  const resources = findResources(model);

  const functions = createFunctions(model.functions, emulators.endpoints, options.onLine);
  closing.push(() => functions.stop());
  await allSettled([createAll(model, emulators, { id: resources.keySecretId, keys }), functions.warm()]);
  options.signal?.throwIfAborted();

  closing.push(await startMappings({ model, emulators, functions, onFault: options.onProgress }));
  const feed = createFeed(emulators.eventBridge.events);
  closing.push(() => feed.close());
  front.serve({
    routes: model.routes,
    invoke: functions.invoke,
    localHandler: (request, response) =>
      feed.handle(request, response) || (options.localHandler?.(request, response) ?? false),
  });
  return { baseUrl: front.baseUrl, endpoints: emulators.endpoints, resources, keys };
}

async function openFront(port: number): Promise<HttpFront> {
  try {
    return await openHttpFront(port);
  } catch (cause) {
    const reasons: Record<string, string> = { EADDRINUSE: 'in use', EACCES: 'not permitted' };
    const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    throw new PipelineError(`Port ${port} is ${reason} on 127.0.0.1; choose another with --port.`, { cause });
  }
}

async function openData(path: string | undefined, closing: Closing): Promise<DataDirectory | undefined> {
  if (path === undefined) return undefined;
  const data = await openDataDirectory(path);
  closing.push(() => data.release());
  return data;
}

async function chooseKeys(options: PipelineOptions, data: DataDirectory | undefined): Promise<PrivateKeys> {
  const own = data === undefined ? generateKeys() : await data.keys();
  return { live: options.privateKey ?? own.live, sandbox: options.sandboxKey ?? own.sandbox };
}

/** The slow part: the CDK app runs in a process of its own, and the emulators start meanwhile. */
async function prepare(
  { onProgress, signal }: PipelineOptions,
  data: DataDirectory | undefined,
  closing: Closing,
): Promise<{ synthesis: Synthesis; emulators: Emulators }> {
  const since = performance.now();
  onProgress('Synthesising the stack and bundling its functions …');
  const project = join(import.meta.dirname, '..', '..');
  const [synthesis, emulators] = await allSettled([
    synthesise({ project, app: 'bin/app.ts', ...(signal === undefined ? {} : { signal }) }).then((made) => {
      closing.push(() => made.remove());
      return made;
    }),
    startEmulators(data).then((made) => {
      closing.push(() => made.close());
      return made;
    }),
  ]);
  onProgress(
    `Synthesised in ${((performance.now() - since) / 1000).toFixed(1)} s; starting what it describes …`,
  );
  return { synthesis, emulators };
}

async function createAll(
  model: StackModel,
  { clients, eventBridge }: Emulators,
  secret: { readonly id: string; readonly keys: PrivateKeys },
): Promise<void> {
  for (const { name } of model.buses) eventBridge.createBus(name);
  await createResources(model, clients);
  await putKeys(clients.secretsManager, secret);
}

async function closeAll(front: HttpFront, closing: Closing): Promise<void> {
  // First of all no new work comes in.
  await front.close();
  for (const close of closing.toReversed()) await close();
}
