import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { metricNames, waitingGauges } from '../../lambdas/contract/metrics.ts';
import { synthesise } from './synthesis.ts';

interface Widget {
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
  readonly properties: {
    readonly title: string;
    readonly metrics?: readonly (readonly unknown[])[];
    readonly alarms?: readonly string[];
  };
}

const stack = synthesise({ paymentServiceBaseUrl: 'https://pay.example.com' });

/** The text of a property, with each reference as the path of its resource. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, ...other } = value as { Ref?: string; 'Fn::Join'?: readonly [string, readonly unknown[]] };
  if (Ref?.startsWith('AWS::')) return Ref;
  const join = other['Fn::Join'];
  return join === undefined ? stack.pathOf(value) : join[1].map(textOf).join(join[0]);
}

const body = JSON.parse(textOf(stack.at('Dashboard/Dashboard').Properties['DashboardBody']));
const widgets = body.widgets as readonly Widget[];
const widget = (title: string): Widget['properties'] => {
  const found = widgets.find(({ properties }) => properties.title === title);
  if (found === undefined) throw new Error(`There is no widget ${title}.`);
  return found.properties;
};

/** A metric of a widget: an array may begin with the namespace and end with options. */
function readMetric(metric: readonly unknown[]) {
  const [namespace = '', name = '', ...pairs] = metric.filter((part) => typeof part === 'string');
  const options = metric.find((part) => typeof part === 'object') as { readonly stat?: string };
  return { namespace, name, dimensions: pairs.join('='), stat: options?.stat };
}
const drawn = widgets.flatMap(({ properties }) => properties.metrics ?? []).map(readMetric);

/** What AWS emits without charge for a resource, from its documentation. */
const freeMetrics: Readonly<Record<string, readonly [type: string, dimension: string, ...names: string[]]>> =
  {
    'AWS/SQS': [
      'AWS::SQS::Queue',
      'QueueName',
      'NumberOfMessagesSent',
      'NumberOfMessagesDeleted',
      'ApproximateAgeOfOldestMessage',
      'ApproximateNumberOfMessagesVisible',
      'ApproximateNumberOfMessagesNotVisible',
    ],
    'AWS/ApiGateway': ['AWS::ApiGatewayV2::Api', 'ApiId', 'Count', '5xx', 'Latency'],
    'AWS/Lambda': ['AWS::Lambda::Function', 'FunctionName', 'Duration', 'IteratorAge'],
  };

const lambdas = join(import.meta.dirname, '../../lambdas');
const sourceOf = (stage: string): string =>
  readdirSync(join(lambdas, stage))
    .map((file) => readFileSync(join(lambdas, stage, file), 'utf8'))
    .join('\n');

describe('the dashboard', () => {
  it('shows the pipeline in the order of its flow', () => {
    expect(widgets.map(({ properties }) => properties.title)).toEqual([
      'Alarms',
      'Arriving',
      'Refused, by reason',
      'Queue: age and depth',
      'Recorded',
      'Latency',
      'Waiting for a person',
      'Order feed: lag',
      'Dead letters and changes that were not published',
    ]);
  });

  it('fits on one screen, without a gap or an overlap', () => {
    const area = widgets.reduce((sum, { width, height }) => sum + width * height, 0);
    expect(Math.max(...widgets.map(({ y, height }) => y + height))).toBe(19);
    expect(Math.max(...widgets.map(({ x, width }) => x + width))).toBe(24);
    expect(area).toBe(19 * 24);
  });

  it("draws metrics that a resource of the stack has and AWS emits, or that a stage's code counts", () => {
    const filtered = stack
      .propertiesOf('AWS::Logs::MetricFilter')
      .flatMap((filter) => filter['MetricTransformations'] as readonly Readonly<Record<string, string>>[])
      .map(({ MetricNamespace, MetricName }) => `${MetricNamespace} ${MetricName}`);
    expect(drawn.length).toBeGreaterThan(20);
    for (const { namespace, name, dimensions } of drawn) {
      const [dimension = '', value = ''] = dimensions.split('=');
      const [type, expectedDimension, ...names] = freeMetrics[namespace] ?? [];
      if (type !== undefined) {
        expect([stack.at(value).Type, dimension], name).toEqual([type, expectedDimension]);
        expect(names).toContain(name);
      } else if (dimension === '') {
        expect(filtered).toContain(`${namespace} ${name}`);
      } else {
        const [key] = Object.entries(metricNames).find(([, metric]) => metric === name) ?? [];
        expect([namespace, dimension]).toEqual(['payhooks/production', 'service']);
        const isGauge = Object.values<string>(waitingGauges).includes(name);
        const counted = isGauge ? /\bwaitingGauges\b/ : new RegExp(`metricNames\\.${key}\\b`);
        expect(sourceOf(value)).toMatch(counted);
      }
    }
  });

  it('draws at most the 50 metrics of a dashboard that is free in an account with up to three', () => {
    expect(drawn.length).toBeLessThanOrEqual(50);
  });

  it('draws every reason for which the verifier refuses a webhook, and a throttled one', () => {
    const counted = [...sourceOf('verifier').matchAll(/metricNames\.(\w+)/g)].map(([, key = '']) => key);
    // A secret that cannot be read refuses nothing by itself, and an accepted webhook is not refused.
    const others = ['secretReadFailed', 'webhooksAccepted'];
    const reasons = new Set(counted.filter((key) => !others.includes(key)));
    const names = [...reasons].map((key) => metricNames[key as keyof typeof metricNames]);
    const refusals = (widget('Refused, by reason').metrics ?? []).map((metric) => readMetric(metric).name);
    expect(refusals.toSorted()).toEqual([...names, 'WebhooksThrottled'].toSorted());
  });

  it('sums counts and takes the maximum of ages, depths and levels', () => {
    const statistics = Object.fromEntries(
      widgets
        .filter(({ properties }) => properties.metrics)
        .map(({ properties: { title, metrics = [] } }) => [
          title,
          [...new Set(metrics.map((metric) => readMetric(metric).stat))].join(),
        ]),
    );
    expect(statistics).toEqual({
      Arriving: 'Sum',
      'Refused, by reason': 'Sum',
      'Queue: age and depth': 'Maximum',
      Recorded: 'Sum',
      Latency: 'p99,Maximum',
      'Waiting for a person': 'Maximum',
      'Order feed: lag': 'Maximum',
      'Dead letters and changes that were not published': 'Maximum',
    });
  });

  it('shows the state of every alarm', () => {
    const shown = (widget('Alarms').alarms ?? []).map((arn) => stack.resources.get(stack.idAt(arn)));
    const alarms = [
      ...stack.ofType('AWS::CloudWatch::Alarm'),
      ...stack.ofType('AWS::CloudWatch::CompositeAlarm'),
    ];
    expect(new Set(shown)).toEqual(new Set(alarms.map(([, alarm]) => alarm)));
  });

  it('reads no log, where events that went well leave no line', () => {
    expect(new Set(widgets.map(({ type }) => type))).toEqual(new Set(['alarm', 'metric']));
  });

  it('is linked in the outputs', () => {
    expect(textOf(stack.outputs['DashboardUrl']?.Value)).toBe(
      'https://AWS::Region.console.aws.amazon.com/cloudwatch/home?region=AWS::Region' +
        '#dashboards/dashboard/Dashboard/Dashboard',
    );
    expect(stack.at('Dashboard/Dashboard').Properties['DashboardName']).toEqual({
      // A second deployment in another region has its own.
      'Fn::Join': ['', ['payhooks-production-', { Ref: 'AWS::Region' }]],
    });
  });

  it('is left out, with its output, when the setting is off', () => {
    const without = synthesise({ dashboard: false });
    expect(without.ofType('AWS::CloudWatch::Dashboard')).toEqual([]);
    expect(Object.keys(without.outputs)).not.toContain('DashboardUrl');
  });
});
