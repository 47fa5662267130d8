import type { AddMetrics } from './alarms/metrics.ts';
import type { LogsEmulator } from './emulators/cloudwatch-logs.ts';
import type { StackModel } from './template/template.ts';

interface LogLinesParts {
  readonly model: Pick<StackModel, 'accessLogs' | 'functions' | 'logGroups' | 'metricFilters'>;
  readonly logs: Pick<LogsEmulator, 'addLine' | 'createFilter' | 'createGroup' | 'hasGroup'>;
  readonly add: AddMetrics;
}

/** What a line of an access log has of a request, by the names of API Gateway. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly sourceIp: string;
  readonly status: number;
}

/** Lambda writes when an invocation starts and ends, and what it took. */
const linesPerInvocation = 3;

/**
 * Creates the log groups and metric filters of the template, and counts the lines that are written. A line
 * for a group that was deleted is lost.
 */
export function openLogLines({ model, logs, add }: LogLinesParts) {
  for (const group of model.logGroups) logs.createGroup(group);
  for (const filter of model.metricFilters) logs.createFilter(filter);
  const groupOfFunction = new Map(model.functions.map(({ name, logGroupName }) => [name, logGroupName]));
  const logOfApi = new Map(model.accessLogs.map((log) => [log.apiId, log]));
  const write = (LogGroupName: string | undefined, lines: number, text?: string): boolean => {
    // Lambda itself creates the group of a function that names none.
    if (LogGroupName === undefined) return true;
    if (!logs.hasGroup(LogGroupName)) return false;
    if (text !== undefined) logs.addLine(LogGroupName, text);
    add('AWS/Logs', { LogGroupName }, { IncomingLogEvents: lines });
    return true;
  };
  return {
    /** Whether a line of the function is kept. */
    takesLine: (functionName: string, text: string): boolean =>
      write(groupOfFunction.get(functionName), 1, text),
    addInvocation: (functionName: string): boolean =>
      write(groupOfFunction.get(functionName), linesPerInvocation),
    addResponse(apiId: string, request: LoggedRequest): boolean {
      const { logGroupName, format = '' } = logOfApi.get(apiId) ?? {};
      return write(logGroupName, 1, accessLine(format, request));
    },
  };
}

/** API Gateway writes a hyphen for what it does not have; here that is all but these three. */
function accessLine(format: string, { requestId, sourceIp, status }: LoggedRequest): string {
  const known: Readonly<Record<string, string>> = {
    requestId,
    'identity.sourceIp': sourceIp,
    status: String(status),
  };
  return format.replaceAll(/\$context\.([\w.]*\w)/g, (_, name: string) => known[name] ?? '-');
}
