import * as v from 'valibot';
import type { Resource } from './resources.ts';
import { dictionary, number, object, oneOf, text } from './schema.ts';

export const logGroupProperties = object({ KmsKeyId: v.optional(text), RetentionInDays: v.optional(number) });

export function readLogGroup(resource: Resource) {
  const { KmsKeyId: kmsKeyId, RetentionInDays: retentionInDays } = resource.read(logGroupProperties);
  return { logGroupName: resource.attribute(), retentionInDays, kmsKeyId };
}

export const metricFilterProperties = object({
  FilterPattern: text,
  LogGroupName: text,
  MetricTransformations: v.array(dictionary, 'a list'),
});

export function readMetricFilter(resource: Resource) {
  const { FilterPattern, LogGroupName, MetricTransformations } = resource.read(metricFilterProperties);
  return {
    logGroupName: LogGroupName,
    filterName: resource.logicalId,
    filterPattern: FilterPattern,
    // The names of CloudWatch's API begin with a small letter.
    metricTransformations: MetricTransformations.map((one) =>
      Object.fromEntries(
        Object.entries(one).map(([name, value]) => [
          name.replace(/^./, (first) => first.toLowerCase()),
          value,
        ]),
      ),
    ),
  };
}

/** Another stage would be a part of every path. */
export const stageProperties = object({
  AccessLogSettings: v.optional(object({ DestinationArn: text, Format: v.optional(text, '') })),
  ApiId: text,
  StageName: oneOf('$default'),
  StageVariables: v.optional(v.record(v.string(), text, 'an object'), {}),
});

/** Where an API writes a line for each of its responses; empty without access logs. */
export function readAccessLog(resource: Resource) {
  const { AccessLogSettings, ApiId: apiId } = resource.read(stageProperties);
  const [, logGroupName] = /:log-group:([^:]+)/.exec(AccessLogSettings?.DestinationArn ?? '') ?? [];
  const format = AccessLogSettings?.Format ?? '';
  return logGroupName === undefined ? [] : [{ apiId, logGroupName, format }];
}
