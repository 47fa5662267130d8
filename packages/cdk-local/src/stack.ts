import { credentials, region } from './account.ts';
import { type AlarmView, startAlarms } from './alarms/alarms.ts';
import { addQueueMetrics, addResponse, countInvocations } from './alarms/aws-metrics.ts';
import type { MetricId, Span, Statistic } from './alarms/metrics.ts';
import { allSettled } from './all-settled.ts';
import { type Choose, readAssembly } from './assembly.ts';
import { openDataDirectory } from './data-directory.ts';
import { type Endpoints, startEmulators } from './emulators/emulators.ts';
import type { EventLog } from './emulators/event-log.ts';
import type { ServiceFault } from './emulators/faults.ts';
import { createResources, resolveStageVariables } from './emulators/resources.ts';
import { startEventRules } from './event-rules.ts';
import { startMappings } from './event-source-mapping/mappings.ts';
import { createFunctions, type Functions } from './functions/functions.ts';
import { type HttpFront, type LocalHandler, openHttpFront } from './http-front/http-front.ts';
import { openLogLines } from './log-lines.ts';
import { startSchedules } from './schedules.ts';
import type { AlarmModel } from './template/alarms.ts';
import type { ScheduleModel } from './template/invocations.ts';
import type { FunctionModel } from './template/resources.ts';
import { awaitedFunctions, readTemplate, type StackModel } from './template/template.ts';

export interface StackOptions {
  /**
   * The folder that `cdk synth` wrote, or a function that makes it. The function runs while the emulators
   * start, and only after the port and the data directory are taken.
   */
  readonly assembly: string | (() => Promise<string>);
  /** Required for an assembly of several stacks. What it leaves out of a template does not run. */
  readonly choose?: Choose | undefined;
  /** On 127.0.0.1; any free one by default. */
  readonly port?: number;
  /** Keeps the state in this folder; in memory by default. */
  readonly dataDirectory?: string | undefined;
  /** Milliseconds since the epoch; alarms go by it. */
  readonly clock?: (() => number) | undefined;
  /** The time until the first turn of each schedule; 3 seconds by default. */
  readonly firstScheduleMilliseconds?: number | undefined;
  /** The time between two turns of a schedule, by default that of the template. */
  readonly scheduleMilliseconds?: ((schedule: ScheduleModel) => number) | undefined;
  /** Runs when every resource exists, before any function is loaded: sets secrets, adds rows. */
  readonly seed?: (stack: CreatedStack) => Promise<void>;
  /** Loads the functions that requests and messages invoke during the start; true by default. */
  readonly warm?: boolean | undefined;
  /** Takes the requests that match no route of the template. */
  readonly localHandler?: LocalHandler;
  /** Takes requests while the stack starts; the others get 503. */
  readonly startingHandler?: LocalHandler | undefined;
  /** Receives each line that a function writes to its log group; without its group a line is lost. */
  readonly onLine: (source: FunctionModel, line: string) => void;
  /** Receives a sentence about each fault of the emulation itself, such as a queue that does not respond. */
  readonly onFault: (sentence: string) => void;
  /** Receives each change of an alarm's state. */
  readonly onAlarm?: (alarm: AlarmView) => void;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal | undefined;
}

/** A stack whose resources exist. */
export interface CreatedStack {
  /** Of every HTTP API of the template. */
  readonly baseUrl: string;
  readonly endpoints: Endpoints;
  readonly model: StackModel;
  /** What was put on the event buses. */
  readonly events: EventLog;
  /** For the constructor of an AWS SDK client: `new SQSClient(stack.clientSettings('sqs'))`. */
  clientSettings(service: keyof Endpoints): {
    endpoint: string;
    region: string;
    credentials: typeof credentials;
  };
  /** Resolves with a failed `Invocation` when the handler throws; rejects for an unknown name. */
  invoke: Functions['invoke'];
  alarms(): readonly AlarmView[];
  /** What an alarm of the template goes by, for each minute of a span. */
  alarmMinutes(model: AlarmModel, span: Span): readonly (number | undefined)[];
  /** What alarms go by, for each minute of a span; the last day is kept. */
  metric(id: MetricId, statistic: Statistic, span: Span): readonly (number | undefined)[];
}

export interface Stack extends CreatedStack {
  /** Begins a fault of a service of AWS, and returns the function that ends it. */
  fail(service: keyof Endpoints, fault: ServiceFault): () => void;
  /** Invokes the target of every schedule now. */
  runSchedules(): Promise<void>;
  /** Lets what is in flight finish, and leaves nothing running. */
  stop(): Promise<void>;
}

/**
 * Runs a synthesised stack in this process. Rejects with the error of the part that failed to start, and then
 * nothing is left running.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  // Before the slow work, so that a port in use is reported at once.
  const front = await openHttpFront(options.port ?? 0, options.startingHandler);
  const closing = new AsyncDisposableStack();
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    // First the front, so that no new work comes in.
    stopping ??= front.close().then(() => closing.disposeAsync());
    return stopping;
  };
  try {
    return { ...(await startParts(options, front, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(options: StackOptions, front: HttpFront, closing: AsyncDisposableStack) {
  const { clock = Date.now, onFault, signal, onAlarm: onChange = () => {} } = options;
  const { assembly, emulators } = await prepare(options, closing);
  const { endpoints, eventBridge } = emulators;
  const { baseUrl } = front;
  const model = readTemplate(assembly, { sqsEndpoint: endpoints.sqs, baseUrl });
  const alarms = startAlarms({
    ...{ models: model.alarms, clock, onChange },
    sample: (add) => addQueueMetrics(add, emulators.queueMetrics()),
  });
  closing.defer(alarms.stop);
  emulators.cloudFormation.show({ ...model, name: model.stackName });
  const logLines = openLogLines({ model, logs: emulators.logs, add: alarms.addMetrics });
  const functions = createFunctions(model.functions, endpoints, (source, line) => {
    if (!logLines.takesLine(source.name, line)) return;
    alarms.onLine(line);
    options.onLine(source, line);
  });
  closing.defer(functions.stop);
  const counted = countInvocations(functions.invoke, alarms.addMetrics);
  const invoke: Functions['invoke'] = (functionName, event) => {
    logLines.addInvocation(functionName);
    return counted(functionName, event);
  };
  emulators.lambda.invokeWith(invoke);
  const clientSettings = (service: keyof Endpoints) => ({
    ...{ endpoint: endpoints[service], region, credentials },
  });
  const { list, minutes: metric, minutesOf: alarmMinutes } = alarms;
  const { events } = eventBridge;
  const views = { alarms: list, metric, alarmMinutes, events };
  const created = { baseUrl, endpoints, model, clientSettings, invoke, ...views };
  await createResources(model, emulators);
  await options.seed?.(created);
  // Now, because a function may read a secret while it loads.
  if (options.warm ?? true) await functions.warm(awaitedFunctions(model));
  signal?.throwIfAborted();

  for (const { secretArn, functionName } of model.rotations)
    emulators.secretsManager.rotateWith(secretArn, (event) => invoke(functionName, event));
  const mapping = { now: clock, addMetrics: alarms.addMetrics };
  closing.defer(
    await startMappings({ model, emulators, functions: { ...functions, invoke }, onFault, ...mapping }),
  );
  closing.defer(startEventRules({ models: model.rules, events, invoke, onFault }));
  for (const { name, definition } of model.scheduleDefinitions)
    emulators.scheduler.addSchedule(name, definition);
  const schedules = startSchedules({
    models: model.schedules,
    isEnabled: emulators.scheduler.isEnabled,
    invoke,
    onFault,
    intervalMilliseconds: options.scheduleMilliseconds,
    firstAfterMilliseconds: options.firstScheduleMilliseconds,
  });
  closing.defer(schedules.stop);
  front.serve({
    ...{ routes: model.routes, invoke, localHandler: options.localHandler },
    stageVariables: await resolveStageVariables(model, emulators),
    onResponse(apiId, response) {
      logLines.addResponse(apiId, response);
      addResponse(alarms.addMetrics, apiId, response);
    },
  });
  return { ...created, fail: emulators.fail, runSchedules: schedules.run };
}

type Preparing = Pick<StackOptions, 'assembly' | 'choose' | 'dataDirectory' | 'clock'>;

async function prepare(options: Preparing, closing: AsyncDisposableStack) {
  const { assembly, choose, dataDirectory, clock } = options;
  const data = dataDirectory === undefined ? undefined : await openDataDirectory(dataDirectory);
  if (data !== undefined) closing.defer(data.release);
  const starting = startEmulators(data?.directory, clock).then((emulators) => {
    closing.defer(emulators.close);
    return emulators;
  });
  const directory = typeof assembly === 'string' ? Promise.resolve(assembly) : assembly();
  const [read, emulators] = await allSettled([
    directory.then((path) => readAssembly(path, choose)),
    starting,
  ]);
  return { assembly: read, emulators };
}
