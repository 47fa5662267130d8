import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type {
  Emulators,
  MappingModel,
  QueueModel,
  StackModel,
  StreamMappingModel,
  TableModel,
  TableStream,
} from '@payhooks/cdk-local';
import { type EventSourceMapping, startEventSourceMapping, startStreamMapping } from '@payhooks/cdk-local';
import { type Functions, StackError } from './functions.ts';

export interface MappingParts {
  readonly model: StackModel;
  readonly emulators: Emulators;
  readonly functions: Functions;
  /** Takes a sentence about a queue or a stream that does not answer. */
  readonly onFault: (sentence: string) => void;
}

/**
 * Starts every mapping of the template and gives the function that stops them when their batches are handled.
 */
export async function startMappings(parts: MappingParts): Promise<() => Promise<void>> {
  const { model, emulators } = parts;
  // Before the first function writes: a write is recorded only once its table's stream is open.
  const streams = await openStreams(parts);
  const mappings = [
    ...model.streamMappings.map((mapping, index) => followStream(parts, mapping, streams[index])),
    ...model.mappings.map((mapping) => followQueue(parts, mapping)),
  ];
  return async () => {
    const stopped = mappings.map((mapping) => mapping.stop());
    emulators.endPolls();
    await Promise.all(stopped);
  };
}

/** One stream for each mapping, in their order. A handled record is forgotten, hence one mapping for each. */
async function openStreams({ model, emulators }: MappingParts): Promise<TableStream[]> {
  const { streamMappings, tables } = model;
  const twin = streamMappings.find(
    (one, index) => streamMappings.findIndex(({ streamArn }) => streamArn === one.streamArn) !== index,
  );
  if (twin !== undefined) {
    throw new StackError(`${twin.name} is the second mapping of its stream; local mode emulates one.`);
  }
  return Promise.all(
    streamMappings.map(({ name, streamArn }) => {
      const table = tables.find(({ stream }) => stream?.arn === streamArn);
      if (table?.stream === undefined) throw new StackError(`${name} reads from no stream of this template.`);
      return emulators.openStream({
        tableName: table.name,
        keyNames: keyNames(table),
        stream: table.stream,
      });
    }),
  );
}

function keyNames({ keySchema }: TableModel): string[] {
  const keys = keySchema as readonly { AttributeName: string; KeyType: string }[];
  return keys
    .toSorted((left, right) => left.KeyType.localeCompare(right.KeyType))
    .map(({ AttributeName }) => AttributeName);
}

function followQueue(
  { model, emulators, functions, onFault }: MappingParts,
  mapping: MappingModel,
): EventSourceMapping {
  return startEventSourceMapping({
    model: mapping,
    sqs: emulators.clients.sqs,
    queueUrl: findQueue(model, mapping.name, mapping.queueArn).url,
    invoke: (event) => functions.invoke(mapping.functionName, event),
    onFault,
  });
}

function followStream(
  { model, emulators, functions, onFault }: MappingParts,
  mapping: StreamMappingModel,
  stream: TableStream | undefined,
): EventSourceMapping {
  const { name, failureQueueArn, functionName } = mapping;
  if (stream === undefined) throw new StackError(`${name} has no stream.`);
  const failures = failureQueueArn === undefined ? undefined : findQueue(model, name, failureQueueArn);
  return startStreamMapping({
    model: mapping,
    stream,
    functionArn: model.functions.find((one) => one.name === functionName)?.arn ?? functionName,
    invoke: (event) => functions.invoke(functionName, event),
    discard: (message) => sendTo(emulators.clients.sqs, failures, message),
    onFault,
  });
}

/** Without a destination what was given up on is gone, as in AWS. */
async function sendTo(sqs: SQSClient, queue: QueueModel | undefined, message: object): Promise<void> {
  if (queue === undefined) return;
  await sqs.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: JSON.stringify(message) }));
}

function findQueue({ queues }: StackModel, mappingName: string, arn: string): QueueModel {
  const queue = queues.find((one) => one.arn === arn);
  if (queue === undefined) throw new StackError(`${mappingName} names a queue that is not in this template.`);
  return queue;
}
