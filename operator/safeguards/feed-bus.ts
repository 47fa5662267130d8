import {
  DescribeArchiveCommand,
  DescribeEventBusCommand,
  EventBridgeClient,
} from '@aws-sdk/client-eventbridge';
import { awsClientOptions } from '../aws/client-options.ts';
import { ofType, resolverOf } from '../aws/deployed-resources.ts';
import { revertDriftOf } from '../stack/stack.ts';
import { policyFaults, statementsOf } from './policy.ts';
import { deletedByHand, type Fault, type Safeguard } from './safeguard.ts';

/** Order systems trust what is on the bus, and replay from its archive. */
export const feedBus: Safeguard = {
  name: 'bus of the order feed',
  async inspect(deployed) {
    const client = new EventBridgeClient(awsClientOptions);
    const resolve = resolverOf(deployed);
    const fix = revertDriftOf(deployed.stack);
    const faults: Fault[] = [];
    for (const { physicalId: Name } of ofType(deployed, 'AWS::Events::EventBus')) {
      const bus = await client.send(new DescribeEventBusCommand({ Name })).catch(deletedByHand);
      const what = `the bus ${Name}`;
      if (bus === undefined) faults.push({ message: `${what} was deleted`, fix });
      const wanted = ofType(deployed, 'AWS::Events::EventBusPolicy').flatMap(({ properties }) =>
        statementsOf({ Statement: resolve(properties['Statement']) }),
      );
      // Other accounts may put rules on it.
      const compared = { what, wanted, found: statementsOf(bus?.Policy), fix, isShared: true } as const;
      if (bus !== undefined) faults.push(...policyFaults(compared));
    }
    for (const { physicalId: ArchiveName, properties } of ofType(deployed, 'AWS::Events::Archive')) {
      const archive = await client.send(new DescribeArchiveCommand({ ArchiveName })).catch(deletedByHand);
      const days = properties['RetentionDays'];
      const message =
        archive === undefined
          ? 'was deleted'
          : archive.State !== 'ENABLED'
            ? `is ${archive.State}`
            : archive.RetentionDays !== days && `keeps events for ${archive.RetentionDays} days, not ${days}`;
      if (message !== false) faults.push({ message: `the archive ${ArchiveName} ${message}`, fix });
    }
    return { holds: 'guarded against events of others, and archived', faults };
  },
};
