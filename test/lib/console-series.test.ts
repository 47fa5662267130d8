import { describe, expect, it } from 'vitest';
import { measuredResourcesOf } from '../../console/server/series/deployed.ts';
import { metricsOf } from '../../console/server/series/metrics.ts';
import type { DeployedResource } from '../../operator/aws/deployed-resources.ts';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const stack = synthesise(everySetting);
/** As CloudFormation lists them; a physical id is the logical one here. */
const resources = [...stack.resources].map(
  ([logicalId, { Type, Properties }]): DeployedResource => ({
    ...{ logicalId, physicalId: logicalId, type: Type, properties: Properties },
  }),
);
const outputs = { MetricsNamespace: 'payhooks/production', EventQueueUrl: 'https://sqs/1/events' };
const measured = measuredResourcesOf({
  stack: { name: 'payhooks-production', region: 'us-east-1', outputs },
  resources,
});

describe('the series of the console', () => {
  it('find the functions of the verifier and of heartbeats among all others', () => {
    expect(stack.pathOf({ Ref: measured.verifier })).toBe('Verifier/Function/Lambda');
    expect(stack.pathOf({ Ref: measured.heartbeat })).toBe('Heartbeat/Function/Lambda');
  });

  it('read metrics of stages that the stack has', () => {
    const stages = resources.flatMap(({ type, properties }) => {
      if (type !== 'AWS::Lambda::Function') return [];
      const { Environment } = properties as { Environment?: { Variables: Record<string, string> } };
      return Environment?.Variables['POWERTOOLS_SERVICE_NAME'] ?? [];
    });
    const read = [...metricsOf(measured).values()].flatMap(({ dimensions }) => dimensions['service'] ?? []);
    expect(new Set(read)).toEqual(new Set(['verifier', 'heartbeat']));
    expect(stages).toEqual(expect.arrayContaining([...new Set(read)]));
  });

  it('read the metric of throttled webhooks that a filter of the access log counts', () => {
    const filters = resources
      .filter(({ type }) => type === 'AWS::Logs::MetricFilter')
      .flatMap(({ properties }) => properties['MetricTransformations'] as { MetricName: string }[]);
    const { name, dimensions } = metricsOf(measured).get('refused_throttled') ?? {};
    expect(dimensions).toEqual({});
    expect(filters.map(({ MetricName }) => MetricName)).toContain(name);
  });
});
