import { App } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { expect, it, vi } from 'vitest';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';

it.each<[string, Readonly<Record<string, unknown>>, number]>([
  ['warns when no setting lets an alarm notice that webhooks do not arrive', {}, 1],
  ['has no warning with paymentServiceBaseUrl', { paymentServiceBaseUrl: 'https://pay.example.com' }, 0],
  ['has no warning with expectWebhooksWithin', { expectWebhooksWithin: '2d' }, 0],
])('the synthesis %s', (_, settings, count) => {
  const configuration = readConfiguration((name) => settings[name] ?? shippedContext[name]);
  // AWS's rules take minutes on a busy machine.
  vi.stubEnv('CDK_VALIDATION', 'false');
  const app = new App({ context: { ...shippedContext, 'aws:cdk:bundling-stacks': [] } });
  const stack = new PayhooksStack(app, 'payhooks-production', { configuration });
  const warnings = Annotations.fromStack(stack).findWarning(
    '*',
    Match.stringLikeRegexp('Set paymentServiceBaseUrl, .* or expectWebhooksWithin'),
  );
  expect(warnings).toHaveLength(count);
});
