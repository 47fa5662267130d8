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

interface MetricFilter {
  readonly logGroupName: string;
  readonly filterName: string;
  readonly filterPattern: string;
  readonly metricTransformations: readonly object[];
}

interface FilterNamed extends Named {
  readonly filterName?: string;
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

/**
 * The log groups of CloudWatch Logs on a free loopback port, with the latest lines of functions. A metric
 * filter counts nothing, and ends with its group.
 */
export async function startCloudWatchLogs() {
  const groups = new Map<string, LogGroup>();
  const filters = new Map<string, MetricFilter>();
  const lines = new Map<string, Line[]>();
  const { endpoint, fail, close } = await startAwsJson({
    target: 'Logs_20140328',
    operations: {
      ...createOperations(groups, filters),
      ...createFilterOperations(groups, filters),
      /** In one page, and without the filter: a caller reads the lines anyway. */
      async FilterLogEvents({ startTime = 0, endTime = Number.MAX_SAFE_INTEGER, ...named }: LineRange) {
        const { logGroupName } = findGroup(groups, named);
        const isMeant = ({ timestamp }: Line): boolean => timestamp >= startTime && timestamp < endTime;
        return { events: (lines.get(logGroupName) ?? []).filter(isMeant) };
      },
    },
  });
  return {
    ...{ endpoint, fail, close },
    createGroup: (group: Parameters<typeof addGroup>[1]) => addGroup(groups, group),
    createFilter: (filter: MetricFilter) => void filters.set(filterKey(filter), filter),
    hasGroup: (name: string): boolean => groups.has(name),
    addLine(name: string, message: string): void {
      const all = lines.get(name) ?? [];
      lines.set(name, all);
      all.push({ timestamp: Date.now(), message });
      if (all.length > linesMax) all.shift();
    },
  };
}

function addGroup(groups: Map<string, LogGroup>, group: Omit<LogGroup, 'arn' | 'creationTime'>): void {
  const arn = arnOf('logs', `log-group:${group.logGroupName}:*`);
  groups.set(group.logGroupName, { arn, creationTime: Date.now(), ...group });
}

const filterKey = ({ logGroupName, filterName }: FilterNamed): string => `${logGroupName}\n${filterName}`;

function findGroup(groups: ReadonlyMap<string, LogGroup>, { logGroupName = '' }: Named): LogGroup {
  const group = groups.get(logGroupName);
  if (group !== undefined) return group;
  throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
}

function createOperations(groups: Map<string, LogGroup>, filters: Map<string, MetricFilter>) {
  const find = (parameters: Named): LogGroup => findGroup(groups, parameters);
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
      const { logGroupName } = find(parameters);
      groups.delete(logGroupName);
      for (const [key, filter] of filters) if (filter.logGroupName === logGroupName) filters.delete(key);
      return {};
    },
    /** All of them, where the service returns pages. */
    async DescribeLogGroups({ logGroupNamePrefix = '' }: { readonly logGroupNamePrefix?: string }) {
      const names = [...groups.keys()].filter((name) => name.startsWith(logGroupNamePrefix)).toSorted();
      return { logGroups: names.map((name) => groups.get(name)) };
    },
    async PutRetentionPolicy(parameters: Named & { readonly retentionInDays?: number }) {
      find(parameters).retentionInDays = parameters.retentionInDays;
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

function createFilterOperations(groups: ReadonlyMap<string, LogGroup>, filters: Map<string, MetricFilter>) {
  return {
    async PutMetricFilter(filter: MetricFilter) {
      findGroup(groups, filter);
      filters.set(filterKey(filter), filter);
      return {};
    },
    async DeleteMetricFilter(parameters: FilterNamed) {
      findGroup(groups, parameters);
      if (filters.delete(filterKey(parameters))) return {};
      throw new AwsError('ResourceNotFoundException', 'The specified metric filter does not exist.');
    },
    async DescribeMetricFilters(parameters: Named & { readonly filterNamePrefix?: string }) {
      const { logGroupName } = findGroup(groups, parameters);
      const { filterNamePrefix = '' } = parameters;
      const isMeant = (one: MetricFilter): boolean =>
        one.logGroupName === logGroupName && one.filterName.startsWith(filterNamePrefix);
      return { metricFilters: [...filters.values()].filter(isMeant) };
    },
  };
}
