import { expect, it } from 'vitest';
import { measuredResourcesOf } from '../../console/server/series/deployed.ts';
import { metricsOf } from '../../console/server/series/metrics.ts';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

it('the series of the console read metrics of the verifier and of heartbeats', () => {
  const stack = synthesise(everySetting);
  // As CloudFormation lists them; a physical id is the logical one here.
  const resources = [...stack.resources].map(([logicalId, { Type, Properties }]) => ({
    ...{ logicalId, physicalId: logicalId, type: Type, properties: Properties },
  }));
  const outputs = { MetricsNamespace: 'payhooks/production', EventQueueUrl: 'https://sqs/1/events' };
  const deployed = { name: 'payhooks-production', region: 'us-east-1', outputs };
  const measured = measuredResourcesOf({ stack: deployed, resources });
  expect(stack.pathOf({ Ref: measured.verifier })).toBe('Verifier/Function/Lambda');
  expect(stack.pathOf({ Ref: measured.heartbeat })).toBe('Heartbeat/Function/Lambda');
  const metrics = metricsOf(measured);
  const read = [...metrics.values()].flatMap(({ dimensions }) => dimensions['service'] ?? []);
  expect(new Set(read)).toEqual(new Set([stack.variablesOf('Verifier')['POWERTOOLS_SERVICE_NAME']]));
});
