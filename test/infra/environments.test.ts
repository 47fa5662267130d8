import { beforeAll, describe, expect, it } from 'vitest';
import { type Synthesis, synthesiseAll } from './synthesis.ts';

/** Properties that give a resource a name which is unique in an account and region. */
const physicalNames = [
  'AlarmName',
  'ArchiveName',
  'BucketName',
  'FunctionName',
  'KeyAlias',
  'LogGroupName',
  'ManagedPolicyName',
  'QueueName',
  'RoleName',
  'TableName',
  'TopicName',
];

let production: Synthesis;
let development: Synthesis;
beforeAll(() => {
  const service = { paymentServiceBaseUrl: 'https://pay.example.com', paymentServiceAuthentication: 'oauth' };
  [production, development] = synthesiseAll(service, {
    ...service,
    environmentName: 'development',
    keepData: false,
  });
});

/** Every literal name in a stack, as "type name". */
function namesIn(stack: Synthesis): string[] {
  return [...stack.resources.values()].flatMap(({ Type, Properties }) =>
    Object.entries(Properties)
      .filter(([property]) => physicalNames.includes(property) || isPlainName(Type, property))
      .filter(([, value]) => typeof value === 'string')
      .map(([, value]) => `${Type} ${value}`),
  );
}

const isPlainName = (type: string, property: string): boolean =>
  ['AWS::Events::EventBus', 'AWS::Scheduler::Schedule', 'AWS::SecretsManager::Secret'].includes(type) &&
  property === 'Name';

describe('two environments in one account', () => {
  it('share no name', () => {
    expect(namesIn(production)).toContain('AWS::CloudWatch::Alarm payhooks-production-EventsDelayed');
    const taken = namesIn(production);
    expect(namesIn(development).filter((name) => taken.includes(name))).toEqual([]);
  });

  it('name nothing but their alarms, their bus and its archive', () => {
    const names = namesIn(production).filter(
      (name) => !name.startsWith('AWS::CloudWatch::Alarm payhooks-production-'),
    );
    expect(names.sort()).toEqual([
      'AWS::Events::Archive payhooks-production',
      'AWS::Events::EventBus payhooks-production',
    ]);
  });

  it('have names that an archive can have, of 48 characters at most', () => {
    const environmentName = `e${'n'.repeat(29)}`;
    const [{ only }] = synthesiseAll({ environmentName });
    expect(only('AWS::Events::Archive').Properties['ArchiveName']).toBe(`payhooks-${environmentName}`);
    expect(`payhooks-${environmentName}`.length).toBeLessThanOrEqual(48);
  });

  it('export nothing, as an export is a name too', () => {
    const outputs = Object.values(production.outputs);
    expect(outputs.length).toBeGreaterThan(0);
    for (const output of outputs) expect(output.Export).toBeUndefined();
  });

  it('count into namespaces of their own', () => {
    const namespaces = (stack: Synthesis): Set<string> =>
      new Set([...JSON.stringify([...stack.resources]).matchAll(/payhooks\/\w+/g)].map(([name]) => name));
    expect(namespaces(production)).toEqual(new Set(['payhooks/production']));
    expect(namespaces(development)).toEqual(new Set(['payhooks/development']));
  });

  it('hold ASCII only, as CloudFormation turns everything else into question marks', () => {
    expect(JSON.stringify([...production.resources, production.outputs])).toMatch(/^[\x20-\x7e]+$/);
  });
});
