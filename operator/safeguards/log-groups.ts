import {
  AssociateKmsKeyCommand,
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  DescribeLogGroupsCommand,
  type LogGroup,
  PutRetentionPolicyCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { serviceOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType, textIn } from '../aws/deployed-resources.ts';
import { counted } from '../check-result.ts';
import type { Fault, Safeguard } from './safeguard.ts';

/** Without its group a function's lines are lost, and with them every metric and alarm made from them. */
export const logGroups: Safeguard = {
  name: 'log groups',
  async inspect(deployed) {
    const client = new CloudWatchLogsClient(serviceOptions(deployed.stack, 'logs'));
    const groups = ofType(deployed, 'AWS::Logs::LogGroup');
    const faults: Fault[] = [];
    // One after the other: CloudWatch Logs throttles at ten requests a second.
    for (const group of groups) faults.push(...(await faultsOf(client, deployed, group)));
    return { holds: `${counted(groups.length, 'log group')}: there, with the retention as deployed`, faults };
  },
};

async function findGroup(client: CloudWatchLogsClient, name: string): Promise<LogGroup | undefined> {
  // The group itself is the first with this prefix.
  const request = new DescribeLogGroupsCommand({ logGroupNamePrefix: name });
  const { logGroups: found = [] } = await client.send(request);
  return found.find(({ logGroupName }) => logGroupName === name);
}

async function faultsOf(
  client: CloudWatchLogsClient,
  deployed: Deployed,
  { physicalId: logGroupName, properties }: DeployedResource,
): Promise<Fault[]> {
  const days = Number(properties['RetentionInDays'] ?? 0);
  const kmsKeyId = textIn(deployed, properties['KmsKeyId']);
  const keep = async (): Promise<void> => {
    if (days > 0) await client.send(new PutRetentionPolicyCommand({ logGroupName, retentionInDays: days }));
  };
  const found = await findGroup(client, logGroupName);
  if (found === undefined) {
    const create = new CreateLogGroupCommand({ logGroupName, ...(kmsKeyId && { kmsKeyId }) });
    return [
      {
        message: `the log group ${logGroupName} was deleted, with its lines`,
        repair: { does: 'create it again, empty', run: () => client.send(create).then(keep) },
      },
    ];
  }
  const faults: Fault[] = [];
  if (days > 0 && found.retentionInDays !== days) {
    const kept = found.retentionInDays === undefined ? 'without an end' : `for ${found.retentionInDays} days`;
    faults.push({
      message: `the log group ${logGroupName} keeps its lines ${kept}, not for ${days} days`,
      repair: { does: `keep them for ${days} days`, run: keep },
    });
  }
  if (kmsKeyId !== undefined && found.kmsKeyId !== kmsKeyId) {
    const associate = new AssociateKmsKeyCommand({ logGroupName, kmsKeyId });
    faults.push({
      message: `the log group ${logGroupName} is not encrypted with ${kmsKeyId}`,
      repair: { does: 'encrypt what it receives from now on', run: () => client.send(associate) },
    });
  }
  return faults;
}
