import {
  GetEventSourceMappingCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { serviceOptions } from '../aws/client-options.ts';
import { type DeployedResource, textIn } from '../aws/deployed-resources.ts';
import { type Fault, safeguard } from './safeguard.ts';

const readsStream = ({ properties }: DeployedResource): boolean =>
  /StreamArn|:dynamodb:/.test(JSON.stringify(properties['EventSourceArn']));

/** The consumer reads the queue, and the order feed the stream, only through these. */
export const eventMappings = safeguard({
  type: 'AWS::Lambda::EventSourceMapping',
  noun: 'mapping',
  open: (stack) => new LambdaClient(serviceOptions(stack, 'lambda')),
  titleOf: (mapping) => `mapping of the ${readsStream(mapping) ? 'order feed' : 'consumer'}`,
  describe: ({ client, id: UUID }) => client.send(new GetEventSourceMappingCommand({ UUID })),
  compare(found, { client, deployed, resource: mapping, id: UUID, what: name }) {
    const update = (does: string, change: object) => ({
      does,
      run: () => client.send(new UpdateEventSourceMappingCommand({ UUID, ...change })),
    });
    const faults: Fault[] = [];
    const { State = 'unknown', LastModified, FunctionResponseTypes, DestinationConfig } = found;
    if (/^Disabl/.test(State)) {
      const since = LastModified === undefined ? '' : ` since ${LastModified.toISOString()}`;
      faults.push({
        message: `${name} is disabled${since}`,
        repair: update('enable it', { Enabled: true }),
        ...(readsStream(mapping) && LastModified && { feedOffSince: LastModified }),
      });
    } else if (State !== 'Enabled') {
      faults.push({ message: `${name} is ${State.toLowerCase()}`, fix: 'wait a minute', isPassing: true });
    }
    const { FunctionResponseTypes: reports, DestinationConfig: wanted } = v.parse(
      properties,
      mapping.properties,
    );
    if (reports !== undefined && !FunctionResponseTypes?.includes('ReportBatchItemFailures')) {
      faults.push({
        message: `${name} does not report each failure, so a failed event is deleted`,
        repair: update('report each failure', { FunctionResponseTypes: ['ReportBatchItemFailures'] }),
      });
    }
    // Where the positions go of what the feed gave up on.
    const Destination = textIn(deployed, wanted?.OnFailure.Destination);
    if (Destination !== undefined && DestinationConfig?.OnFailure?.Destination !== Destination) {
      faults.push({
        message: `${name} does not send what it gives up on to the failure queue`,
        repair: update('send it there', { DestinationConfig: { OnFailure: { Destination } } }),
      });
    }
    return faults;
  },
});

const properties = v.object({
  FunctionResponseTypes: v.optional(v.array(v.unknown())),
  DestinationConfig: v.optional(v.object({ OnFailure: v.object({ Destination: v.unknown() }) })),
});
