import { metricKey } from '../alarms/metrics.ts';
import { asList, asNumber, asObject, asText, TemplateError } from './intrinsics.ts';
import { type AlarmModel, comparisons, missingTreatments } from './model.ts';
import type { Resource } from './resources.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Measure {
  readonly metrics: readonly string[];
  readonly fillsWithZero: boolean;
  readonly periodSeconds: number;
}

/** Whether an alarm watches metrics that functions write. Nothing here writes the metrics of AWS itself. */
export function isCountedByFunctions(resource: Resource): boolean {
  const namespaces = resource.propertyNames.includes('Metrics')
    ? metricStats(resource).map(({ metric }) => metric['Namespace'])
    : [resource.get('Namespace', asText)];
  return namespaces.some((namespace) => !String(namespace).startsWith('AWS/'));
}

export function readAlarm(resource: Resource, stackName: string): AlarmModel {
  const periods = resource.get('EvaluationPeriods', asNumber);
  const isSum = resource.propertyNames.includes('Metrics');
  return {
    name: resource.get('AlarmName', asText, resource.logicalId).replace(`${stackName}-`, ''),
    description: resource.get('AlarmDescription', asText, ''),
    ...(isSum ? readSum(resource) : readMetric(resource)),
    periods,
    breachingPeriods: resource.get('DatapointsToAlarm', asNumber, periods),
    comparison: oneOf(resource, 'ComparisonOperator', comparisons),
    threshold: resource.get('Threshold', asNumber),
    missing: oneOf(resource, 'TreatMissingData', missingTreatments, 'missing'),
  };
}

function readMetric(resource: Resource): Measure {
  oneOf(resource, 'Statistic', ['Sum']);
  const metric = {
    Namespace: resource.get('Namespace', asText),
    MetricName: resource.get('MetricName', asText),
    Dimensions: resource.get('Dimensions', asList, []),
  };
  return {
    metrics: [keyOf(metric, resource.logicalId)],
    fillsWithZero: false,
    periodSeconds: resource.get('Period', asNumber),
  };
}

/** An expression that adds up metrics, such as `FILL(missing, 0) + FILL(malformed, 0)`. */
function readSum(resource: Resource): Measure {
  const where = `${resource.logicalId}.Metrics`;
  const stats = metricStats(resource);
  const [total, ...others] = resource
    .get('Metrics', asList)
    .map((one) => asObject(one, where))
    .filter(({ Expression }) => Expression !== undefined);
  const expression = asText(total?.['Expression'] ?? '', where);
  const terms = expression.split('+').map((term) => /^\s*(?:FILL\((\w+), ?0\)|(\w+))\s*$/.exec(term));
  const named = terms.map((term) => stats.find(({ id }) => id === (term?.[1] ?? term?.[2])));
  const known = named.filter((one) => one !== undefined);
  const periods = new Set(known.map(({ periodSeconds }) => periodSeconds));
  const [periodSeconds] = periods;
  const isSum = known.length === terms.length && known.every(({ statistic }) => statistic === 'Sum');
  if (!isSum || others.length > 0 || periods.size > 1 || periodSeconds === undefined) {
    throw new TemplateError(
      `${where} computes "${expression}"; cdk-local emulates sums of metrics of one period, ` +
        'such as "FILL(one, 0) + FILL(another, 0)".',
    );
  }
  return {
    metrics: known.map(({ metric }) => keyOf(metric, where)),
    fillsWithZero: terms.every((term) => term?.[1] !== undefined),
    periodSeconds,
  };
}

function metricStats(resource: Resource) {
  const where = `${resource.logicalId}.Metrics`;
  return resource.get('Metrics', asList).flatMap((one) => {
    const { Id, MetricStat } = asObject(one, where);
    if (MetricStat === undefined) return [];
    const { Metric, Period, Stat } = asObject(MetricStat, where);
    const metric = asObject(Metric, where);
    return { id: Id, metric, periodSeconds: asNumber(Period, `${where}.Period`), statistic: Stat };
  });
}

function keyOf({ Namespace, MetricName, Dimensions }: Fields, where: string): string {
  const dimensions = asList(Dimensions ?? [], `${where}.Dimensions`)
    .map((one) => asObject(one, `${where}.Dimensions`))
    .map(({ Name, Value }) => [String(Name), String(Value)] as const);
  return metricKey(String(Namespace), String(MetricName), Object.fromEntries(dimensions));
}

function oneOf<const Value extends string>(
  resource: Resource,
  property: string,
  values: readonly Value[],
  ...otherwise: [] | [Value]
): Value {
  const given = resource.get(property, asText, ...otherwise);
  const value = values.find((one) => one === given);
  if (value !== undefined) return value;
  throw new TemplateError(
    `${resource.logicalId}.${property} is "${given}"; cdk-local emulates ${values.join(', ')}.`,
  );
}
