import assert from 'node:assert/strict';
import {
  GetEventSourceMappingCommand,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { Fault, Stage } from './stage.ts';

/** Longer than the alarms allow. */
export const outageMinutes = 20;

/** A service of AWS refuses calls. */
export function refusing({ pipeline }: Stage, over: string, ...fault: Parameters<Pipeline['fail']>): Fault {
  let end = (): void => {};
  return {
    over,
    async begin() {
      end = pipeline.fail(...fault);
    },
    end: () => end(),
  };
}

/** The event source mapping that reads a queue or stream is switched off. */
export function switchedOff({ pipeline, signal, until }: Stage, source: RegExp, over: string): Fault {
  const { lambda } = pipeline.clients;
  let UUID: string | undefined;
  async function change(Enabled: boolean): Promise<void> {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    // The end of a fault happens in every case.
    if (signal.aborted) return;
    await until(
      () => lambda.send(new GetEventSourceMappingCommand({ UUID })),
      ({ State }) => State === (Enabled ? 'Enabled' : 'Disabled'),
      ({ State }) => `The mapping is ${State}.`,
    );
  }
  return {
    over,
    async begin() {
      const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
      ({ UUID } = EventSourceMappings.find(({ EventSourceArn = '' }) => source.test(EventSourceArn)) ?? {});
      assert(UUID !== undefined, `No event source mapping reads ${source}.`);
      await change(false);
    },
    end: () => change(true),
  };
}

/** How many times a message is received before it is a dead letter; few, so that a drill takes seconds. */
export async function setReceivesMax({ pipeline }: Stage, maxReceiveCount: number): Promise<void> {
  const { clients, resources } = pipeline;
  const QueueUrl = resources.eventQueueUrl;
  const AttributeNames = ['RedrivePolicy' as const];
  const { Attributes } = await clients.sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  const policy = { ...JSON.parse(Attributes?.['RedrivePolicy'] ?? ''), maxReceiveCount };
  const RedrivePolicy = JSON.stringify(policy);
  await clients.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } }));
}
