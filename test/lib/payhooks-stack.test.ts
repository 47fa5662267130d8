import { App } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { expect, it, vi } from 'vitest';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

const silence = /Set paymentServiceBaseUrl, .* or expectWebhooksWithin/;
const unread = /set alarmEmail or alarmTopicArn/;
const service = { paymentServiceBaseUrl: 'https://pay.example.com' };
const topic = { alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:pages' };

it.each<[string, RegExp, Readonly<Record<string, unknown>>, number]>([
  ['warns when no setting lets an alarm notice that webhooks do not arrive', silence, {}, 1],
  ['does not warn of silence with paymentServiceBaseUrl', silence, service, 0],
  ['does not warn of silence with expectWebhooksWithin', silence, { expectWebhooksWithin: '2d' }, 0],
  ['warns when no setting lets an alarm reach anyone', unread, {}, 1],
  ['does not warn of unread alarms with alarmEmail', unread, { alarmEmail: 'oncall@example.com' }, 0],
  ['does not warn of unread alarms with alarmTopicArn', unread, topic, 0],
])('the synthesis %s', (_, text, settings, count) => {
  const configuration = readConfiguration((name) => settings[name] ?? shippedContext[name]);
  // AWS's rules take minutes on a busy machine.
  vi.stubEnv('CDK_VALIDATION', 'false');
  const app = new App({ context: { ...shippedContext, 'aws:cdk:bundling-stacks': [] } });
  const stack = new PayhooksStack(app, 'payhooks-production', { configuration });
  const warnings = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp(text.source));
  expect(warnings).toHaveLength(count);
});

it('an environment may have a name of 30 characters, within the limits of its archive and its bus', () => {
  const stack = synthesise({ environmentName: `e${'n'.repeat(29)}` });
  const { ArchiveName } = stack.only('AWS::Events::Archive').Properties;
  expect(String(ArchiveName).length).toBeLessThanOrEqual(48);
  for (const { StatementId } of stack.propertiesOf('AWS::Events::EventBusPolicy')) {
    expect(String(StatementId)).toMatch(/^.{1,35}n{29}$/);
  }
});

it('a template is ASCII only, because CloudFormation replaces other characters with question marks', () => {
  const { resources, outputs } = synthesise(everySetting);
  expect(JSON.stringify([...resources, outputs])).toMatch(/^[\x20-\x7e]+$/);
});
