import {
  DescribeArchiveCommand,
  DescribeEventBusCommand,
  EventBridgeClient,
} from '@aws-sdk/client-eventbridge';
import { awsClientOptions } from '../aws/client-options.ts';
import { ofType } from '../aws/deployed-resources.ts';
import { policyFaults, statementsOf } from './policy.ts';
import { safeguard } from './safeguard.ts';

const open = () => new EventBridgeClient(awsClientOptions);

/** Order systems trust what is on the bus. */
export const feedBus = safeguard({
  type: 'AWS::Events::EventBus',
  noun: 'bus',
  open,
  describe: ({ client, id: Name }) => client.send(new DescribeEventBusCommand({ Name })),
  compare({ Policy }, { deployed, what, resolve }) {
    const wanted = ofType(deployed, 'AWS::Events::EventBusPolicy').flatMap(({ properties }) =>
      statementsOf({ Statement: resolve(properties['Statement']) }),
    );
    // Other accounts may put rules on it.
    return policyFaults({ what, wanted, found: statementsOf(Policy), isShared: true });
  },
});

/** Order systems replay from it. */
export const feedArchive = safeguard({
  type: 'AWS::Events::Archive',
  noun: 'archive',
  open,
  describe: ({ client, id: ArchiveName }) => client.send(new DescribeArchiveCommand({ ArchiveName })),
  compare({ State, RetentionDays }, { what, resource: { properties } }) {
    const days = properties['RetentionDays'];
    if (State !== 'ENABLED') return [{ message: `${what} is ${State}` }];
    if (RetentionDays === days) return [];
    return [{ message: `${what} keeps events for ${RetentionDays} days, not ${days}` }];
  },
});
