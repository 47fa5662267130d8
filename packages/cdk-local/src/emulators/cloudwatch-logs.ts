import { arnOf } from '../account.ts';
import { AwsError } from './aws-error.ts';
import { startAwsJson } from './aws-json.ts';

export type LogsEmulator = Awaited<ReturnType<typeof startCloudWatchLogs>>;

/** What is in a group ends with it. */
interface LogGroup {
  /** The names of the service's responses. */
  readonly description: {
    readonly logGroupName: string;
    readonly arn: string;
    readonly creationTime: number;
    retentionInDays?: number | undefined;
    kmsKeyId?: string | undefined;
  };
  readonly filters: Map<string, MetricFilter>;
  readonly lines: Line[];
}

interface Named {
  readonly logGroupName?: string;
}

interface GroupSettings extends Named {
  readonly retentionInDays?: number | undefined;
  readonly kmsKeyId?: string | undefined;
}

interface MetricFilter {
  readonly logGroupName: string;
  readonly filterName: string;
  readonly filterPattern: string;
  readonly metricTransformations: readonly object[];
}

interface Line {
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly message: string;
}

interface LineRange extends Named {
  readonly startTime?: number;
  readonly endTime?: number;
}

/** Of each group; the oldest go first. */
const linesMax = 10_000;

/** The log groups of CloudWatch Logs, with the latest lines of functions. A metric filter counts nothing. */
export async function startCloudWatchLogs() {
  const groups = new Map<string, LogGroup>();
  function find({ logGroupName = '' }: Named): LogGroup {
    const group = groups.get(logGroupName);
    if (group !== undefined) return group;
    throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
  }
  function createGroup({ logGroupName = '', ...settings }: GroupSettings): void {
    const arn = arnOf('logs', `log-group:${logGroupName}:*`);
    const description = { logGroupName, arn, creationTime: Date.now(), ...settings };
    groups.set(logGroupName, { description, filters: new Map(), lines: [] });
  }
  const createFilter = (filter: MetricFilter): void => {
    find(filter).filters.set(filter.filterName, filter);
  };
  const emulator = await startAwsJson({
    target: 'Logs_20140328',
    operations: {
      async CreateLogGroup({ logGroupName = '', kmsKeyId }: GroupSettings) {
        if (groups.has(logGroupName))
          throw new AwsError('ResourceAlreadyExistsException', 'The specified log group already exists');
        createGroup({ logGroupName, kmsKeyId });
        return {};
      },
      async DeleteLogGroup(parameters: Named) {
        groups.delete(find(parameters).description.logGroupName);
        return {};
      },
      /** All of them, where the service returns pages. */
      async DescribeLogGroups({ logGroupNamePrefix = '' }: { readonly logGroupNamePrefix?: string }) {
        const names = [...groups.keys()].filter((name) => name.startsWith(logGroupNamePrefix)).toSorted();
        return { logGroups: names.map((name) => groups.get(name)?.description) };
      },
      async PutRetentionPolicy(parameters: GroupSettings) {
        find(parameters).description.retentionInDays = parameters.retentionInDays;
        return {};
      },
      async AssociateKmsKey(parameters: GroupSettings) {
        find(parameters).description.kmsKeyId = parameters.kmsKeyId;
        return {};
      },
      async DisassociateKmsKey(parameters: Named) {
        delete find(parameters).description.kmsKeyId;
        return {};
      },
      async PutMetricFilter(filter: MetricFilter) {
        createFilter(filter);
        return {};
      },
      async DeleteMetricFilter(parameters: Named & { readonly filterName: string }) {
        find(parameters).filters.delete(parameters.filterName);
        return {};
      },
      async DescribeMetricFilters(parameters: Named & { readonly filterNamePrefix?: string }) {
        const { filterNamePrefix = '' } = parameters;
        const all = [...find(parameters).filters.values()];
        return { metricFilters: all.filter(({ filterName }) => filterName.startsWith(filterNamePrefix)) };
      },
      /** In one page, and without the filter: a caller reads the lines anyway. */
      async FilterLogEvents({ startTime = 0, endTime = Number.MAX_SAFE_INTEGER, ...named }: LineRange) {
        const isMeant = ({ timestamp }: Line): boolean => timestamp >= startTime && timestamp < endTime;
        return { events: find(named).lines.filter(isMeant) };
      },
    },
  });
  return {
    ...{ ...emulator, createGroup, createFilter },
    hasGroup: (name: string): boolean => groups.has(name),
    addLine(logGroupName: string, message: string): void {
      const { lines } = find({ logGroupName });
      lines.push({ timestamp: Date.now(), message });
      if (lines.length > linesMax) lines.shift();
    },
  };
}
