import type { Emulators } from '../emulators/emulators.ts';
import type { TableStream } from '../emulators/table-stream.ts';
import { type Functions, StackError } from '../functions/functions.ts';
import type { QueueModel, TableModel } from '../template/resources.ts';
import type { StackModel } from '../template/template.ts';
import { startQueueMapping } from './queue-mapping.ts';
import { startStreamMapping } from './stream-mapping.ts';

interface MappingParts {
  readonly model: StackModel;
  readonly emulators: Pick<Emulators, 'clients' | 'endPolls' | 'openStream' | 'streamAt'>;
  readonly functions: Pick<Functions, 'invoke'>;
  /** Receives a sentence about a queue or a stream that does not respond. */
  readonly onFault: (sentence: string) => void;
}

/**
 * Starts every mapping of the template. Returns a function that stops them once their batches are handled.
 */
export async function startMappings(parts: MappingParts): Promise<() => Promise<void>> {
  const { model, emulators, functions, onFault } = parts;
  const { sqs } = emulators.clients;
  // Before the first function writes: a write is recorded only once the stream of its table is open.
  const streams = await openStreams(parts);
  const streamMappings = model.streamMappings.map((mapping, index) => {
    const { name, functionName, failureQueueArn } = mapping;
    const failures = failureQueueArn === undefined ? undefined : findQueue(model, name, failureQueueArn);
    return () =>
      startStreamMapping({
        model: mapping,
        stream: streams[index] as TableStream,
        functionArn: model.functions.find((one) => one.name === functionName)?.arn ?? functionName,
        invoke: (event) => functions.invoke(functionName, event),
        // Without a destination the discarded records are lost, as on AWS.
        discard: async (message) => {
          if (failures === undefined) return;
          const MessageBody = JSON.stringify(message);
          await sqs.sendMessage({ QueueUrl: failures.url, MessageBody });
        },
        onFault,
      });
  });
  const queueMappings = model.mappings.map((mapping) => {
    const queueUrl = findQueue(model, mapping.name, mapping.queueArn).url;
    const invoke = (event: unknown) => functions.invoke(mapping.functionName, event);
    return () => startQueueMapping({ model: mapping, sqs, queueUrl, invoke, onFault });
  });
  // All of them are checked before the first one starts.
  const mappings = [...streamMappings, ...queueMappings].map((start) => start());
  return async function stopMappings() {
    const stopped = mappings.map((mapping) => mapping.stop());
    emulators.endPolls();
    await Promise.all(stopped);
  };
}

/**
 * The stream of each stream mapping, in their order. A handled record is removed, hence one mapping for each.
 */
async function openStreams({ model, emulators }: MappingParts): Promise<TableStream[]> {
  const { streamMappings, tables } = model;
  const arns = streamMappings.map(({ streamArn }) => streamArn);
  const second = streamMappings.find(({ streamArn }, index) => arns.indexOf(streamArn) !== index);
  if (second !== undefined) {
    throw new StackError(`${second.name} is the second mapping of its stream; cdk-local emulates one.`);
  }
  return Promise.all(
    streamMappings.map(({ name, streamArn }) => {
      const table = tables.find(({ stream }) => stream?.arn === streamArn);
      if (table?.stream === undefined) {
        // Of a table that the template does not have, such as a restored one.
        const existing = emulators.streamAt(streamArn);
        if (existing !== undefined) return existing;
        throw new StackError(`${name} reads from a stream that no table has: ${streamArn}.`);
      }
      const { name: tableName, stream } = table;
      return emulators.openStream({ tableName, keyNames: keyNames(table), stream });
    }),
  );
}

/** The partition key first. */
function keyNames({ keySchema }: TableModel): string[] {
  const keys = keySchema as readonly { AttributeName: string; KeyType: string }[];
  return keys
    .toSorted((left, right) => left.KeyType.localeCompare(right.KeyType))
    .map(({ AttributeName }) => AttributeName);
}

function findQueue({ queues }: StackModel, mappingName: string, arn: string): QueueModel {
  const queue = queues.find((one) => one.arn === arn);
  if (queue === undefined) throw new StackError(`${mappingName} names a queue that is not in this template.`);
  return queue;
}
