import * as v from 'valibot';
import { isAwsMetric } from '../alarms/aws-metrics.ts';
import { type Expression, parseExpression } from '../alarms/expression.ts';
import { metricKey, type Statistic, statistics } from '../alarms/metrics.ts';
import type { Resource } from './resources.ts';
import { number, object, oneOf, TemplateError, text } from './schema.ts';

const dimensions = v.optional(v.array(object({ Name: text, Value: text }), 'a list'), []);
const metric = object({ Namespace: text, MetricName: text, Dimensions: dimensions });
const statistic = oneOf(...statistics);

const source = object({ Namespace: v.optional(text), MetricName: v.optional(text) });
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
        MetricStat: v.optional(object({ Metric: metric, Period: number, Stat: statistic })),
      }),
      'a list',
    ),
  ),
  Namespace: v.optional(text),
  Period: v.optional(number),
  Statistic: v.optional(statistic),
  Threshold: number,
  TreatMissingData: v.optional(oneOf('breaching', 'notBreaching', 'ignore', 'missing'), 'missing'),
});

type Properties = v.InferOutput<typeof alarmProperties>;

/** Whether something here counts what an alarm watches: a function, or this package in place of AWS. */
export function isCounted(resource: Resource): boolean {
  const { Namespace, MetricName, Metrics } = resource.read(sourceProperties);
  const stats = Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) ?? [{ Namespace, MetricName }];
  return stats.some(
    (one) => !one.Namespace?.startsWith('AWS/') || isAwsMetric(one.Namespace, one.MetricName ?? ''),
  );
}

/** A metric of an alarm: `key` is of `metricKey`. */
interface MetricModel {
  readonly key: string;
  readonly statistic: Statistic;
}

/** An alarm over metrics that are counted here. */
export interface AlarmModel {
  readonly name: string;
  readonly description: string;
  readonly metrics: Readonly<Record<string, MetricModel>>;
  /** Over the ids of `metrics`; `undefined` for one metric as it is. */
  readonly expression?: string;
  readonly value: Expression;
  readonly periodSeconds: number;
  readonly periods: number;
  /** How many of the periods put it into alarm. */
  readonly breachingPeriods: number;
  readonly comparison: Properties['ComparisonOperator'];
  readonly threshold: number;
  readonly missing: Properties['TreatMissingData'];
}

export function readAlarm(resource: Pick<Resource, 'logicalId' | 'read'>, namePrefix: string): AlarmModel {
  const properties = resource.read(alarmProperties);
  const { AlarmName = resource.logicalId, EvaluationPeriods, DatapointsToAlarm } = properties;
  return {
    name: AlarmName.replace(`${namePrefix}-`, ''),
    description: properties.AlarmDescription,
    ...(properties.Metrics === undefined
      ? readMetric(resource.read(singleProperties))
      : readMath(properties.Metrics, `${resource.logicalId}.Metrics`)),
    periods: EvaluationPeriods,
    breachingPeriods: DatapointsToAlarm ?? EvaluationPeriods,
    comparison: properties.ComparisonOperator,
    threshold: properties.Threshold,
    missing: properties.TreatMissingData,
  };
}

const singleProperties = object({ ...metric.entries, Period: number, Statistic: statistic });

type Value = Pick<AlarmModel, 'expression' | 'metrics' | 'value' | 'periodSeconds'>;

function readMetric({ Period, Statistic, ...single }: v.InferOutput<typeof singleProperties>): Value {
  return {
    metrics: { only: { key: keyOf(single), statistic: Statistic } },
    value: (read) => read('only'),
    periodSeconds: Period,
  };
}

function readMath(metrics: NonNullable<Properties['Metrics']>, where: string): Value {
  const [text = '', ...otherTexts] = metrics.flatMap(({ Expression }) => Expression ?? []);
  const stats = metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [{ id: Id, ...MetricStat }] : []));
  const [periodSeconds, ...otherPeriods] = new Set(stats.map(({ Period }) => Period));
  const ids = stats.map(({ id }) => id);
  const value = parseExpression(text, ids);
  if (value === undefined || periodSeconds === undefined || otherTexts.length + otherPeriods.length > 0) {
    throw new TemplateError(
      `${where} computes "${text}"; cdk-local emulates one expression over metrics of one period, with ` +
        '+, -, *, FILL, MAX and MIN, such as "FILL(one, 0) + FILL(another, 0)".',
    );
  }
  const models = stats.map(({ id, Metric, Stat }) => [id, { key: keyOf(Metric), statistic: Stat }] as const);
  return { metrics: Object.fromEntries(models), expression: text, value, periodSeconds };
}

function keyOf({ Namespace, MetricName, Dimensions }: v.InferOutput<typeof metric>): string {
  const pairs = Dimensions.map(({ Name, Value }) => [Name, Value] as const);
  return metricKey(Namespace, MetricName, Object.fromEntries(pairs));
}
