import type { AddMetrics } from '../alarms/metrics.ts';
import type { Emulators } from '../emulators/emulators.ts';
import type { TableStream } from '../emulators/table-stream.ts';
import { type Functions, StackError } from '../functions/functions.ts';
import type { StreamMappingModel } from '../template/invocations.ts';
import type { QueueModel } from '../template/resources.ts';
import type { StackModel } from '../template/template.ts';
import { startQueueMapping } from './queue-mapping.ts';
import { startStreamMapping } from './stream-mapping.ts';
import { createSwitchableMapping } from './switchable.ts';

interface MappingParts {
  readonly model: StackModel;
  readonly emulators: Pick<Emulators, 'clients' | 'endPolls' | 'lambda' | 'streamAt'>;
  readonly functions: Pick<Functions, 'invoke'>;
  /** Receives a sentence about a queue or a stream that does not respond. */
  readonly onFault: (sentence: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly addMetrics?: AddMetrics;
}

/**
 * Starts every mapping of the template that is on, and lets Lambda's API switch each of them. Returns a
 * function that stops them once their batches are handled.
 */
export async function startMappings(parts: MappingParts): Promise<() => Promise<void>> {
  const { model, emulators, functions, onFault } = parts;
  const { endPolls } = emulators;
  const { sqs } = emulators.clients;
  // Checked before the first mapping starts.
  checkDistinct(model.streamMappings);
  const streamStarts = model.streamMappings.map((mapping) => {
    findFailureQueue(model, mapping);
    const start = startStream(parts, findStream(parts, mapping));
    return () => createSwitchableMapping(mapping, start, parts.now);
  });
  const queueStarts = model.mappings.map((mapping) => {
    const queueUrl = findQueue(model, mapping.name, mapping.queueArn).url;
    const invoke = (event: unknown) => functions.invoke(mapping.functionName, event);
    return () =>
      createSwitchableMapping(
        mapping,
        (one) => startQueueMapping({ model: one, sqs, queueUrl, invoke, endPolls, onFault }),
        parts.now,
      );
  });
  const mappings = await Promise.all([...streamStarts, ...queueStarts].map((start) => start()));
  for (const mapping of mappings) emulators.lambda.addMapping(mapping);
  return async function stopMappings() {
    await Promise.all(mappings.map((mapping) => mapping.stop()));
  };
}

/** What was not handled while the mapping was off is handled once it is on. */
function startStream(
  { model, emulators, functions, onFault, now, addMetrics }: MappingParts,
  stream: TableStream,
) {
  return function start(mapping: StreamMappingModel) {
    const { functionName } = mapping;
    const failures = findFailureQueue(model, mapping);
    return startStreamMapping({
      model: mapping,
      stream,
      functionArn: model.functions.find((one) => one.name === functionName)?.arn ?? functionName,
      async invoke(event, ageMilliseconds) {
        const outcome = await functions.invoke(functionName, event);
        addMetrics?.('AWS/Lambda', { FunctionName: functionName }, { IteratorAge: ageMilliseconds });
        return outcome;
      },
      // Without a destination the discarded records are lost, as on AWS.
      async discard(message) {
        if (failures === undefined) return;
        const MessageBody = JSON.stringify(message);
        await emulators.clients.sqs.sendMessage({ QueueUrl: failures.url, MessageBody });
      },
      onFault,
      ...(now && { now }),
    });
  };
}

const findFailureQueue = (model: StackModel, { name, failureQueueArn }: StreamMappingModel) =>
  failureQueueArn === undefined ? undefined : findQueue(model, name, failureQueueArn);

/** Also of a table that the template does not have, such as a restored one. */
function findStream({ emulators }: MappingParts, { name, streamArn }: StreamMappingModel): TableStream {
  const stream = emulators.streamAt(streamArn);
  if (stream !== undefined) return stream;
  throw new StackError(`${name} reads from a stream that no table has: ${streamArn}.`);
}

/** A handled record is removed, hence one mapping for each stream. */
function checkDistinct(mappings: readonly StreamMappingModel[]): void {
  const arns = mappings.map(({ streamArn }) => streamArn);
  const second = mappings.find(({ streamArn }, index) => arns.indexOf(streamArn) !== index);
  if (second === undefined) return;
  throw new StackError(`${second.name} is the second mapping of its stream; cdk-local emulates one.`);
}

function findQueue({ queues }: StackModel, mappingName: string, arn: string): QueueModel {
  const queue = queues.find((one) => one.arn === arn);
  if (queue === undefined) throw new StackError(`${mappingName} names a queue that is not in this template.`);
  return queue;
}
