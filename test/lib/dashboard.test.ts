import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { metricNames } from '../../lambdas/contract/metrics.ts';
import { synthesise } from './synthesis.ts';

interface Widget {
  readonly type: string;
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

/** A metric of a widget: namespace, name and dimension, and options at its end. */
const drawn = widgets
  .flatMap(({ properties }) => properties.metrics ?? [])
  .map((metric) => {
    const [namespace = '', name = '', dimension, value = ''] = metric.filter(
      (part) => typeof part === 'string',
    );
    return { namespace, name, dimension, value };
  });

const lambdas = join(import.meta.dirname, '../../lambdas');
const sourceOf = (stage: string): string =>
  readdirSync(join(lambdas, stage))
    .map((file) => readFileSync(join(lambdas, stage, file), 'utf8'))
    .join('\n');

describe('the dashboard', () => {
  it('shows every alarm, and metrics alone: events that went well leave no line in a log', () => {
    expect(new Set(widgets.map(({ type }) => type))).toEqual(new Set(['alarm', 'metric']));
    const shown = widgets.flatMap(({ properties }) => properties.alarms ?? []);
    const alarms = stack.ofType('AWS::CloudWatch::Alarm').map(([id]) => stack.pathOf(id));
    expect(shown.toSorted()).toEqual(alarms.toSorted());
  });

  it('draws metrics that a resource of the stack has, a filter counts or a stage emits', () => {
    const filtered = stack
      .propertiesOf('AWS::Logs::MetricFilter')
      .flatMap((filter) => filter['MetricTransformations'] as readonly Readonly<Record<string, string>>[])
      .map(({ MetricName }) => MetricName);
    expect(drawn.length).toBeGreaterThan(20);
    // A dashboard with so many is free in an account with up to three.
    expect(drawn.length).toBeLessThanOrEqual(50);
    for (const { namespace, name, dimension, value } of drawn) {
      if (namespace.startsWith('AWS/'))
        expect(stack.at(value).Type).toMatch(/SQS::Queue|Lambda::Func|V2::Api/);
      else if (dimension === undefined) expect(filtered).toContain(name);
      else expect(readdirSync(lambdas)).toContain(value);
    }
  });

  it('draws every reason for which the verifier refuses a webhook, and a throttled one', () => {
    const counted = [...sourceOf('verifier').matchAll(/metricNames\.(\w+)/g)].map(([, key = '']) => key);
    // A secret that cannot be read refuses nothing by itself, and an accepted webhook is not refused.
    const others = ['secretReadFailed', 'webhooksAccepted'];
    const reasons = [...new Set(counted)].filter((key) => !others.includes(key));
    const expected = reasons.map((key) => metricNames[key as keyof typeof metricNames]);
    const refused = widgets.find(({ properties }) => properties.title === 'Refused, by reason');
    const names = (refused?.properties.metrics ?? []).map(([, name]) => name);
    expect(names.toSorted()).toEqual([...expected, 'WebhooksThrottled'].toSorted());
  });

  it('is linked in the outputs, by a name of its stack and region', () => {
    expect(textOf(stack.outputs['DashboardUrl']?.Value)).toBe(
      'https://AWS::Region.console.aws.amazon.com/cloudwatch/home?region=AWS::Region' +
        '#dashboards/dashboard/Dashboard/Dashboard',
    );
    expect(textOf(stack.at('Dashboard/Dashboard').Properties['DashboardName'])).toBe(
      'payhooks-production-AWS::Region',
    );
  });
});
