import type { Emulators, Endpoints, StackModel } from '@payhooks/cdk-local';
import {
  type Alarms,
  type AlarmView,
  alarmLine,
  createResources,
  type HttpFront,
  type LocalHandler,
  openHttpFront,
  readTemplate,
  startAlarms,
  startSchedules,
} from '@payhooks/cdk-local';
import type { Simulator } from '@payhooks/payment-service/simulator';
import { createFeed } from '../feed/feed.ts';
import { createInspection } from '../inspection/inspection.ts';
import { stackView } from '../inspection/stack.ts';
import type { PrivateKeys } from './data-directory.ts';
import { createFunctions, type Functions } from './functions.ts';
import { startMappings } from './mappings.ts';
import { type PaymentServiceOptions, serviceContext, startPaymentService } from './payment-service.ts';
import { portProblem } from './port-problem.ts';
import { type Closing, chooseKeys, openData, prepare } from './preparation.ts';
import { findResources, type PipelineResources } from './resources.ts';
import { putSecret, type SecretValue, secretValues } from './secret-values.ts';
import { allSettled } from './settled.ts';

export interface PipelineOptions {
  /** On 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** Keeps the state in this folder; in memory without it. */
  readonly dataDirectory?: string | undefined;
  /** Without them generated ones, which a data directory keeps. */
  readonly privateKey?: string | undefined;
  readonly sandboxKey?: string | undefined;
  /** The payment service's simulator; on any free port, and asked with the private key, without it. */
  readonly service?: PaymentServiceOptions;
  /** Milliseconds since the epoch: alarms and the payment service's tokens go by it. */
  readonly clock?: () => number;
  /** When schedules have their first turn; a few seconds after the start without it. */
  readonly firstScheduleMilliseconds?: number;
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
  readonly simulator: Simulator;
  /** A turn of every schedule of the template now, without the wait for its time. */
  runSchedules(): Promise<void>;
  /** Lets what is in flight finish, and leaves nothing running. */
  stop(): Promise<void>;
}

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
  const { onProgress, clock = Date.now, service = anyService, firstScheduleMilliseconds } = options;
  const data = await openData(options.dataDirectory, closing);
  const keys = await chooseKeys(options, data);
  let resources: PipelineResources | undefined;
  const paymentService = await startPaymentService({
    options: service,
    keys,
    clock,
    signatureHeader: () => resources?.signatureHeader ?? '',
    onProgress,
  });
  const { simulator } = paymentService;
  closing.push(() => simulator.stop());
  const context = serviceContext(simulator, service);
  const { synthesis, emulators } = await prepare(options, { data, context }, closing);
  const { endpoints } = emulators;
  const { baseUrl } = front;
  const { template, directory } = synthesis;
  const model = readTemplate(template, { directory, addresses: { sqsEndpoint: endpoints.sqs, baseUrl } });
  resources = findResources(model);

  const { functions, alarms } = watchedFunctions(model, endpoints, { ...options, clock });
  closing.push(() => alarms.stop());
  closing.push(() => functions.stop());
  const secrets = secretValues(resources, keys, paymentService.tokenSecret);
  await allSettled([createAll(model, emulators, secrets), functions.warm()]);
  options.signal?.throwIfAborted();

  const { invoke } = functions;
  for (const { secretArn, functionName } of model.rotations)
    emulators.secretsManager.rotateWith(secretArn, (event) => invoke(functionName, event));
  closing.push(await startMappings({ model, emulators, functions, onFault: onProgress }));
  const schedules = startSchedules({
    models: model.schedules,
    invoke,
    onFault: onProgress,
    ...(firstScheduleMilliseconds && { firstAfterMilliseconds: firstScheduleMilliseconds }),
  });
  closing.push(() => schedules.stop());
  const feed = createFeed(emulators.eventBridge.events);
  closing.push(() => feed.close());
  const stack = stackView(model, { endpoints, serviceUrl: simulator.baseUrl });
  const inspect = createInspection({ '/stack': () => stack, '/alarms': alarms.list });
  const handlers = [feed.handle, inspect, options.localHandler ?? (() => false)];
  front.serve({
    routes: model.routes,
    invoke,
    localHandler: (request, response) => handlers.some((handle) => handle(request, response)),
  });
  return { baseUrl, endpoints, resources, keys, simulator, runSchedules: schedules.run };
}

/** The functions of the template, and its alarms over what they count. */
function watchedFunctions(
  model: StackModel,
  endpoints: Endpoints,
  { onLine, clock }: Pick<PipelineOptions, 'onLine'> & { readonly clock: () => number },
): { readonly functions: Functions; readonly alarms: Alarms } {
  const onChange = (alarm: AlarmView): void => onLine('alarm', alarmLine(alarm));
  const alarms = startAlarms({ models: model.alarms, clock, onChange });
  const functions = createFunctions(model.functions, endpoints, (stage, line) => {
    alarms.onLine(line);
    onLine(stage, line);
  });
  return { functions, alarms };
}

const anyService: PaymentServiceOptions = { port: 0, otherwiseAnyPort: false, authentication: 'private-key' };

async function openFront(port: number): Promise<HttpFront> {
  try {
    return await openHttpFront(port);
  } catch (error) {
    throw portProblem(error, port, '--port') ?? error;
  }
}

async function createAll(
  model: StackModel,
  { clients, eventBridge }: Emulators,
  secrets: readonly SecretValue[],
): Promise<void> {
  for (const { name } of model.buses) eventBridge.createBus(name);
  await createResources(model, clients);
  for (const secret of secrets) await putSecret(clients.secretsManager, secret);
}

async function closeAll(front: HttpFront, closing: Closing): Promise<void> {
  // First of all no new work comes in.
  await front.close();
  for (const close of closing.toReversed()) await close();
}
