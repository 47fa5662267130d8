import * as v from 'valibot';
import { metricKey } from '../alarms/metrics.ts';
import type { Resource } from './resources.ts';
import { number, object, oneOf, TemplateError, text } from './schema.ts';

const dimensions = v.optional(v.array(object({ Name: text, Value: text }), 'a list'), []);
const metric = object({ Namespace: text, MetricName: text, Dimensions: dimensions });
const sumOnly = oneOf('Sum');

const source = object({ Namespace: v.optional(text) });
const sourceProperties = object({
  ...source.entries,
  Metrics: v.optional(v.array(object({ MetricStat: v.optional(object({ Metric: source })) }), 'a list')),
});

export const alarmProperties = object({
  AlarmDescription: v.optional(text, ''),
  AlarmName: v.optional(text),
  ComparisonOperator: oneOf(
    'GreaterThanOrEqualToThreshold',
    'GreaterThanThreshold',
    'LessThanOrEqualToThreshold',
    'LessThanThreshold',
  ),
  DatapointsToAlarm: v.optional(number),
  Dimensions: dimensions,
  EvaluationPeriods: number,
  MetricName: v.optional(text),
  Metrics: v.optional(
    v.array(
      object({
        Id: text,
        Expression: v.optional(text),
        MetricStat: v.optional(object({ Metric: metric, Period: number, Stat: text })),
      }),
      'a list',
    ),
  ),
  Namespace: v.optional(text),
  Period: v.optional(number),
  Statistic: v.optional(sumOnly),
  Threshold: number,
  TreatMissingData: v.optional(oneOf('breaching', 'notBreaching', 'ignore', 'missing'), 'missing'),
});

type Properties = v.InferOutput<typeof alarmProperties>;

/** Whether an alarm watches metrics that functions write. Nothing here writes the metrics of AWS itself. */
export function isCountedByFunctions(resource: Resource): boolean {
  const { Namespace, Metrics } = resource.read(sourceProperties);
  const stats = Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) ?? [{ Namespace }];
  return stats.some((one) => !one.Namespace?.startsWith('AWS/'));
}

/** An alarm over metrics that the functions count, as sums over periods. */
export type AlarmModel = ReturnType<typeof readAlarm>;

export function readAlarm(resource: Resource, stackName: string) {
  const properties = resource.read(alarmProperties);
  const { AlarmName = resource.logicalId, EvaluationPeriods, DatapointsToAlarm } = properties;
  return {
    name: AlarmName.replace(`${stackName}-`, ''),
    description: properties.AlarmDescription,
    ...(properties.Metrics === undefined
      ? readMetric(resource.read(singleProperties))
      : readSum(properties.Metrics, `${resource.logicalId}.Metrics`)),
    periods: EvaluationPeriods,
    /** How many of the periods put it into alarm. */
    breachingPeriods: DatapointsToAlarm ?? EvaluationPeriods,
    comparison: properties.ComparisonOperator,
    threshold: properties.Threshold,
    missing: properties.TreatMissingData,
  };
}

const singleProperties = object({ ...metric.entries, Period: number, Statistic: sumOnly });

function readMetric({ Period, ...single }: v.InferOutput<typeof singleProperties>) {
  return { metrics: [keyOf(single)], fillsWithZero: false, periodSeconds: Period };
}

/** An expression that adds up metrics, such as `FILL(missing, 0) + FILL(malformed, 0)`. */
function readSum(metrics: NonNullable<Properties['Metrics']>, where: string) {
  const expressions = metrics.flatMap(({ Expression }) => Expression ?? []);
  const [expression = ''] = expressions;
  const terms = expression.split('+').map((term) => /^\s*(?:FILL\((\w+), ?0\)|(\w+))\s*$/.exec(term));
  const stats = terms.flatMap((term) => {
    const named = metrics.find(({ Id }) => Id === (term?.[1] ?? term?.[2]));
    return named?.MetricStat?.Stat === 'Sum' ? named.MetricStat : [];
  });
  const [periodSeconds, ...otherPeriods] = new Set(stats.map(({ Period }) => Period));
  const isSum = expressions.length === 1 && stats.length === terms.length && otherPeriods.length === 0;
  if (!isSum || periodSeconds === undefined) {
    throw new TemplateError(
      `${where} computes "${expression}"; cdk-local emulates sums of metrics of one period, ` +
        'such as "FILL(one, 0) + FILL(another, 0)".',
    );
  }
  return {
    metrics: stats.map(({ Metric }) => keyOf(Metric)),
    /** Whether a metric without a value counts as zero when another one has a value. */
    fillsWithZero: terms.every((term) => term?.[1] !== undefined),
    periodSeconds,
  };
}

function keyOf({ Namespace, MetricName, Dimensions }: v.InferOutput<typeof metric>): string {
  const pairs = Dimensions.map(({ Name, Value }) => [Name, Value] as const);
  return metricKey(Namespace, MetricName, Object.fromEntries(pairs));
}
