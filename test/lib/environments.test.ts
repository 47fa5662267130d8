import { App, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { describe, expect, it, vi } from 'vitest';
import { deploymentMetadata } from '../../lambdas/contract/deployment-metadata.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { everySetting } from './every-setting.ts';
import { namesIn, namespacesIn } from './physical-names.ts';
import { listed, readTemplate, type Synthesis, synthesise } from './synthesis.ts';

const oauth = { paymentServiceBaseUrl: 'https://pay.example.com', paymentServiceAuthentication: 'oauth' };
const production = synthesise(oauth);
const development = synthesise({ ...oauth, environmentName: 'development' });

describe('two environments in one account', () => {
  it('share no physical name', () => {
    const taken = namesIn(production);
    expect(taken).toContain('AWS::CloudWatch::Alarm payhooks-production-EventsDelayed');
    expect(namesIn(development).filter((name) => taken.includes(name))).toEqual([]);
  });

  it('may have names of 30 characters, within the limits for an archive and for a statement of its bus', () => {
    const stack = synthesise({ environmentName: `e${'n'.repeat(29)}` });
    const { ArchiveName } = stack.only('AWS::Events::Archive').Properties;
    expect(String(ArchiveName).length).toBeLessThanOrEqual(48);
    for (const { StatementId } of stack.propertiesOf('AWS::Events::EventBusPolicy')) {
      expect(String(StatementId)).toMatch(/^.{1,35}n{29}$/);
    }
  });

  it('publish metrics in separate namespaces, and export no output, whose name would collide', () => {
    expect(JSON.stringify(production.outputs)).not.toContain('"Export"');
    expect(namespacesIn(production)).toEqual(['payhooks/production']);
    expect(namespacesIn(development)).toEqual(['payhooks/development']);
  });
});

/** An app with several deployments of one environment. */
function appWith(
  deployments: (app: App) => readonly [scope: Construct, id: string][],
  add: (stack: PayhooksStack) => unknown = () => undefined,
): Synthesis[] {
  vi.stubEnv('CDK_VALIDATION', 'false');
  const paths = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true };
  const app = new App({ context: { ...shippedContext, ...paths } });
  const configuration = readConfiguration(listed(everySetting));
  return deployments(app)
    .map(([scope, id]) => new PayhooksStack(scope, id, { configuration }))
    .map((stack) => {
      add(stack);
      return readTemplate(Template.fromStack(stack).toJSON());
    });
}

it('two deployments of one environment share no physical name and no namespace of metrics', () => {
  const [one, other, third] = appWith((app) => [
    [app, 'payhooks-shop'],
    [app, 'shop'],
    [new Stage(app, 'Beta'), 'shop'],
  ]) as [Synthesis, Synthesis, Synthesis];
  expect([one, other, third].map(namespacesIn)).toEqual([['payhooks/shop'], ['shop'], ['Beta-shop']]);
  const names = [one, other, third].flatMap(namesIn);
  expect(names).toContain('AWS::CloudWatch::Alarm Beta-shop-HeartbeatMissing');
  expect(names).toEqual([...new Set(names)]);
});

it('marks every resource as part of the deployment, and none that an app adds to the stack', () => {
  const [{ resources }] = appWith(
    (app) => [[app, 'shop']],
    (stack) => new Topic(stack, 'Added'),
  ) as [Synthesis];
  const marks = [...resources].map(([id, { Metadata }]) => [
    id.replace(/^Added.*/, 'Added'),
    Metadata[deploymentMetadata],
  ]);
  expect(marks.filter(([, mark]) => mark !== 'shop')).toEqual([['Added', undefined]]);
});

it('the guard of the tables permits the roles that a stack in a Stage has', () => {
  const [stack] = appWith((app) => [[new Stage(app, 'Beta'), 'shop']]) as [Synthesis];
  const roles = stack.ofType('AWS::IAM::Role').map(([id]) => id);
  for (const stage of ['ConsumerFunction', 'OperationsFunction', 'OrderFeedFunction']) {
    expect(roles).toContainEqual(expect.stringMatching(`^${stage}Role`));
    expect(JSON.stringify(stack.propertiesOf('AWS::DynamoDB::Table'))).toContain(
      `:role/Beta-shop-${stage}*"`,
    );
  }
});

it('a template is ASCII only, because CloudFormation replaces other characters with question marks', () => {
  expect(JSON.stringify([...production.resources, production.outputs])).toMatch(/^[\x20-\x7e]+$/);
});
