import type { AddMetrics } from './alarms/metrics.ts';
import type { LogsEmulator } from './emulators/cloudwatch-logs.ts';
import type { StackModel } from './template/template.ts';

interface LogLinesParts {
  readonly model: Pick<StackModel, 'accessLogs' | 'functions' | 'logGroups' | 'metricFilters'>;
  readonly logs: Pick<LogsEmulator, 'addLine' | 'createFilter' | 'createGroup' | 'hasGroup'>;
  readonly add: AddMetrics;
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
  const groupOfApi = new Map(model.accessLogs.map(({ apiId, logGroupName }) => [apiId, logGroupName]));
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
    addResponse: (apiId: string): boolean => write(groupOfApi.get(apiId), 1),
  };
}
