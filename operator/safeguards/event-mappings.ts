import {
  GetEventSourceMappingCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { serviceOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType, textIn } from '../aws/deployed-resources.ts';
import { counted } from '../check-result.ts';
import { revertDriftOf } from '../stack/stack.ts';
import { deletedByHand, type Fault, type Safeguard } from './safeguard.ts';

/** The consumer reads the queue, and the order feed the stream, only through these. */
export const eventMappings: Safeguard = {
  name: 'event source mappings',
  async inspect(deployed) {
    const client = new LambdaClient(serviceOptions(deployed.stack, 'lambda'));
    const mappings = ofType(deployed, 'AWS::Lambda::EventSourceMapping');
    const faults = await Promise.all(mappings.map((one) => faultsOf(client, deployed, one)));
    return {
      holds: `${counted(mappings.length, 'mapping')}: enabled, with a report of each failure`,
      faults: faults.flat(),
    };
  },
};

const readsStream = ({ properties }: DeployedResource): boolean =>
  /StreamArn|:dynamodb:/.test(JSON.stringify(properties['EventSourceArn']));

async function faultsOf(
  client: LambdaClient,
  deployed: Deployed,
  mapping: DeployedResource,
): Promise<Fault[]> {
  const UUID = mapping.physicalId;
  const isFeed = readsStream(mapping);
  const name = `the mapping of the ${isFeed ? 'order feed' : 'consumer'}`;
  const found = await client.send(new GetEventSourceMappingCommand({ UUID })).catch(deletedByHand);
  if (found === undefined) {
    return [{ message: `${name} was deleted`, fix: revertDriftOf(deployed.stack) }];
  }
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
      ...(isFeed && LastModified && { feedOffSince: LastModified }),
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
}

const properties = v.object({
  FunctionResponseTypes: v.optional(v.array(v.unknown())),
  DestinationConfig: v.optional(v.object({ OnFailure: v.object({ Destination: v.unknown() }) })),
});
