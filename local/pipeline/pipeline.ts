import { join } from 'node:path';
import {
  type CreatedStack,
  type Endpoints,
  type LocalHandler,
  startStack,
  synthesise,
} from '@payhooks/cdk-local';
import type { Simulator } from '@payhooks/payment-service/simulator';
import { variables } from '../../lambdas/contract/environment.ts';
import { createFeed } from '../feed/feed.ts';
import { createInspection } from '../inspection/inspection.ts';
import { stackView } from '../inspection/stack.ts';
import { alarmLine, alarmView } from './alarms.ts';
import { environmentName } from './environment.ts';
import { generatedKeys, type PrivateKeys } from './keys.ts';
import {
  type PaymentService,
  type PaymentServiceOptions,
  serviceContext,
  startPaymentService,
} from './payment-service.ts';
import { portProblem } from './port-problem.ts';
import { findResources, type PipelineResources } from './resources.ts';
import { putSecrets, secretValues } from './secret-values.ts';

export interface PipelineOptions {
  /** On 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** Keeps the state in this folder; in memory by default. */
  readonly dataDirectory?: string | undefined;
  /** By default generated keys, which a data directory keeps. */
  readonly privateKey?: string | undefined;
  readonly sandboxKey?: string | undefined;
  /** The payment service's simulator; by default on any free port, with the private key. */
  readonly service?: PaymentServiceOptions;
  /** Milliseconds since the epoch: alarms and the payment service's tokens go by it. */
  readonly clock?: () => number;
  /** The time until the first turn of each schedule; a few seconds by default. */
  readonly firstScheduleMilliseconds?: number;
  /** Receives what a function writes, under the name of its stage. */
  readonly onLine: (functionName: string, line: string) => void;
  /** Receives a sentence for each step of the start, and for each fault later. */
  readonly onProgress: (sentence: string) => void;
  /** Responds to requests that match no route of the template. */
  readonly localHandler?: LocalHandler | undefined;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
}

export interface Pipeline {
  readonly baseUrl: string;
  readonly endpoints: Endpoints;
  readonly resources: PipelineResources;
  readonly keys: PrivateKeys;
  readonly simulator: Simulator;
  /** Invokes the target of every schedule of the template now. */
  runSchedules(): Promise<void>;
  /** Lets what is in flight finish, and leaves nothing running. */
  stop(): Promise<void>;
}

/** How to close what is open, in the order of its opening. */
type Closing = (() => Promise<void> | void)[];

/**
 * Starts the whole pipeline in this process: the payment service's simulator, and the stack that is
 * synthesised for it. Rejects with the error of the part that failed to start, and then nothing is left
 * running.
 */
export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const closing: Closing = [];
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= closeAll(closing);
    return stopping;
  };
  try {
    return { ...(await startParts(options, closing)), stop };
  } catch (error) {
    await stop();
    throw portProblem(error, options.port, '--port') ?? error;
  }
}

async function startParts(options: PipelineOptions, closing: Closing): Promise<Omit<Pipeline, 'stop'>> {
  const { clock, onLine, onProgress, firstScheduleMilliseconds, signal } = options;
  const service = Promise.withResolvers<Service>();
  const handlers: LocalHandler[] = [];
  let resources: PipelineResources | undefined;
  const stack = await startStack({
    port: options.port,
    dataDirectory: options.dataDirectory,
    async assembly() {
      const started = await startService(options, () => resources?.signatureHeader ?? '', closing);
      service.resolve(started);
      return synthesiseFor(started.simulator, options, closing);
    },
    async seed(created) {
      const { keys, simulator, tokenSecret } = await service.promise;
      resources = findResources(created.model);
      await putSecrets(created.clientSettings('secretsManager'), secretValues(resources, keys, tokenSecret));
      handlers.push(...localHandlers(created, simulator, closing), options.localHandler ?? (() => false));
    },
    localHandler: (request, response) => handlers.some((handle) => handle(request, response)),
    onLine: ({ name, environment }, line) => onLine(environment[variables.serviceName] ?? name, line),
    onAlarm: (alarm) => onLine('alarm', alarmLine(alarm)),
    onFault: onProgress,
    ...{ clock, firstScheduleMilliseconds, signal },
  });
  closing.push(stack.stop);
  const { baseUrl, endpoints, model, runSchedules } = stack;
  const { keys, simulator } = await service.promise;
  return { baseUrl, endpoints, resources: findResources(model), keys, simulator, runSchedules };
}

interface Service extends PaymentService {
  readonly keys: PrivateKeys;
}

const anyService: PaymentServiceOptions = { port: 0, otherwiseAnyPort: false, authentication: 'private-key' };

async function startService(
  options: PipelineOptions,
  signatureHeader: () => string,
  closing: Closing,
): Promise<Service> {
  const {
    clock = Date.now,
    service = anyService,
    onProgress,
    dataDirectory,
    privateKey,
    sandboxKey,
  } = options;
  const generated = await generatedKeys(dataDirectory);
  const keys = { live: privateKey ?? generated.live, sandbox: sandboxKey ?? generated.sandbox };
  const started = await startPaymentService({ options: service, keys, clock, signatureHeader, onProgress });
  closing.push(() => started.simulator.stop());
  return { ...started, keys };
}

/** The slow part: the CDK app runs in a process of its own. */
async function synthesiseFor(
  simulator: Simulator,
  { service = anyService, onProgress, signal }: PipelineOptions,
  closing: Closing,
): Promise<string> {
  const since = performance.now();
  onProgress('Synthesising the stack and bundling its functions …');
  const { directory, remove } = await synthesise({
    project: join(import.meta.dirname, '..', '..'),
    app: 'bin/app.ts',
    context: { environmentName, keepData: false, ...serviceContext(simulator, service) },
    ...(signal && { signal }),
  });
  closing.push(remove);
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  onProgress(`Synthesised in ${seconds} s; starting what it describes …`);
  return directory;
}

function localHandlers(stack: CreatedStack, simulator: Simulator, closing: Closing): LocalHandler[] {
  const feed = createFeed(stack.events);
  closing.push(() => feed.close());
  const view = stackView(stack, simulator.baseUrl);
  const inspect = createInspection({ '/stack': () => view, '/alarms': () => stack.alarms().map(alarmView) });
  return [feed.handle, inspect];
}

async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.toReversed()) await close();
}
