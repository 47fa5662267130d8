import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

interface Widget {
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
const lambdas = readdirSync(join(import.meta.dirname, '../../lambdas'));

describe('the dashboard', () => {
  it('shows every alarm', () => {
    const shown = widgets.flatMap(({ properties }) => properties.alarms ?? []);
    const alarms = stack.ofType('AWS::CloudWatch::Alarm').map(([id]) => stack.pathOf(id));
    expect(shown.toSorted()).toEqual(alarms.toSorted());
  });

  it('draws metrics that a resource of the stack has, the access log counts or a stage emits', () => {
    const drawn = widgets.flatMap(({ properties }) => properties.metrics ?? []);
    expect(drawn.length).toBeGreaterThan(20);
    // A dashboard with so many is free in an account with up to three.
    expect(drawn.length).toBeLessThanOrEqual(50);
    for (const metric of drawn) {
      const [namespace = '', name = '', , value = ''] = metric.filter((part) => typeof part === 'string');
      if (namespace.startsWith('AWS/'))
        expect(stack.at(value).Type).toMatch(/SQS::Queue|Lambda::Func|V2::Api/);
      else if (name !== 'WebhooksThrottled') expect(lambdas).toContain(value);
    }
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
