import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

/** The types that CloudFormation gives no tags. */
const untaggable = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::Events::Archive',
  'AWS::Events::EventBusPolicy',
  'AWS::IAM::Policy',
  'AWS::KMS::Alias',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::MetricFilter',
  'AWS::SNS::Subscription',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::Schedule',
  'AWS::SecretsManager::RotationSchedule',
];

const resources = Object.entries(variants).flatMap(([variant, settings]) =>
  [...synthesise(settings).resources].map(([id, resource]) => ({ variant, id, ...resource })),
);
const taggable = resources.filter(({ Type }) => !untaggable.includes(Type));

/** Some types take a list of tags, some an object. */
function tagsOf(tags: unknown): unknown {
  if (!Array.isArray(tags)) return tags ?? {};
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));
}

describe('the tags', () => {
  it('are on every resource that takes tags, not only on the stack', () => {
    expect(taggable.length).toBeGreaterThan(300);
    const wrong = taggable.filter(({ variant, Properties }) => {
      const environment = variant === 'development' ? 'development' : 'production';
      const expected = { application: 'payhooks', environment };
      return JSON.stringify(tagsOf(Properties['Tags'])) !== JSON.stringify(expected);
    });
    expect(wrong.map(({ variant, id }) => `${id} of ${variant}`)).toEqual([]);
  });

  it('are missing only on the types that docs/settings.md lists', () => {
    const types = new Set(resources.map(({ Type }) => Type));
    expect(untaggable.filter((type) => !types.has(type))).toEqual([]);
    const document = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
    const [, section = ''] = document.split('\n## Tags\n');
    const listed = [...section.matchAll(/`(AWS::\w+::\w+)`/g)].map(([, type]) => type);
    expect(listed.sort()).toEqual(untaggable);
  });
});
