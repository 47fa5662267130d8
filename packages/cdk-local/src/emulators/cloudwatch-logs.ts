import { arnOf } from '../account.ts';
import { AwsError } from './aws-error.ts';
import { startAwsJson } from './aws-json.ts';

export type LogsEmulator = Awaited<ReturnType<typeof startCloudWatchLogs>>;

/** The names of the service's responses. */
interface LogGroup {
  readonly logGroupName: string;
  readonly arn: string;
  readonly creationTime: number;
  retentionInDays?: number | undefined;
  kmsKeyId?: string | undefined;
}

interface Named {
  readonly logGroupName?: string;
}

interface Page {
  readonly logGroupNamePrefix?: string;
  readonly limit?: number;
  readonly nextToken?: string;
}

/** Names and a key. */
const requestBytesMax = 64 * 1024;
const groupsPerPage = 50;
const retentionDays = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288],
  3653,
];

/**
 * The log groups of CloudWatch Logs on a free loopback port. They hold no lines: what counts here is whether
 * the group of a function exists when it writes one.
 */
export async function startCloudWatchLogs() {
  const groups = new Map<string, LogGroup>();
  const { endpoint, fail, close } = await startAwsJson({
    target: 'Logs_20140328',
    operations: createOperations(groups),
    requestBytesMax,
  });
  return {
    ...{ endpoint, fail, close },
    createGroup: (group: Parameters<typeof addGroup>[1]) => addGroup(groups, group),
    hasGroup: (name: string): boolean => groups.has(name),
  };
}

function addGroup(groups: Map<string, LogGroup>, group: Omit<LogGroup, 'arn' | 'creationTime'>): void {
  const arn = arnOf('logs', `log-group:${group.logGroupName}:*`);
  groups.set(group.logGroupName, { arn, creationTime: Date.now(), ...group });
}

function createOperations(groups: Map<string, LogGroup>) {
  const find = ({ logGroupName: name = '' }: Named): LogGroup => {
    const group = groups.get(name);
    if (group !== undefined) return group;
    throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
  };
  return {
    async CreateLogGroup({ logGroupName = '', kmsKeyId }: Named & { readonly kmsKeyId?: string }) {
      if (!/^[\w./#-]{1,512}$/.test(logGroupName)) {
        throw new AwsError(
          'InvalidParameterException',
          "Value at 'logGroupName' failed to satisfy constraint",
        );
      }
      if (groups.has(logGroupName)) {
        throw new AwsError('ResourceAlreadyExistsException', 'The specified log group already exists');
      }
      addGroup(groups, { logGroupName, kmsKeyId });
      return {};
    },
    async DeleteLogGroup(parameters: Named) {
      groups.delete(find(parameters).logGroupName);
      return {};
    },
    async DescribeLogGroups({ logGroupNamePrefix = '', limit = groupsPerPage, nextToken = '0' }: Page) {
      const start = Number(nextToken);
      const names = [...groups.keys()].filter((name) => name.startsWith(logGroupNamePrefix)).toSorted();
      const end = start + limit;
      return {
        logGroups: names.slice(start, end).map((name) => groups.get(name)),
        ...(end < names.length && { nextToken: String(end) }),
      };
    },
    async PutRetentionPolicy(parameters: Named & { readonly retentionInDays?: number }) {
      const { retentionInDays = 0 } = parameters;
      const group = find(parameters);
      if (!retentionDays.includes(retentionInDays)) {
        throw new AwsError('InvalidParameterException', `${retentionInDays} is not a valid retention.`);
      }
      group.retentionInDays = retentionInDays;
      return {};
    },
    async DeleteRetentionPolicy(parameters: Named) {
      delete find(parameters).retentionInDays;
      return {};
    },
    async AssociateKmsKey(parameters: Named & { readonly kmsKeyId?: string }) {
      find(parameters).kmsKeyId = parameters.kmsKeyId;
      return {};
    },
    async DisassociateKmsKey(parameters: Named) {
      delete find(parameters).kmsKeyId;
      return {};
    },
  };
}
