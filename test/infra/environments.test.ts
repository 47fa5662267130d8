import { beforeAll, describe, expect, it } from 'vitest';
import { type Synthesis, synthesise } from './synthesis.ts';

/** Properties that give a resource a name which is unique in an account and region. */
const physicalNames = [
  'AlarmName',
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
  [production, development] = synthesise({}, { environmentName: 'development', keepData: false });
});

/** Every literal name in a stack, as "type name". */
function namesIn(stack: Synthesis): string[] {
  return [...stack.resources.values()].flatMap(({ Type, Properties }) =>
    Object.entries(Properties)
      .filter(([property]) => physicalNames.includes(property) || isSecretName(Type, property))
      .filter(([, value]) => typeof value === 'string')
      .map(([, value]) => `${Type} ${value}`),
  );
}

const isSecretName = (type: string, property: string): boolean =>
  type === 'AWS::SecretsManager::Secret' && property === 'Name';

describe('two environments in one account', () => {
  it('share no name', () => {
    expect(namesIn(production)).toContain('AWS::CloudWatch::Alarm payhooks-production-EventsDelayed');
    const taken = namesIn(production);
    expect(namesIn(development).filter((name) => taken.includes(name))).toEqual([]);
  });

  it('name nothing but their alarms', () => {
    for (const name of namesIn(production)) {
      expect(name).toMatch(/^AWS::CloudWatch::Alarm payhooks-production-/);
    }
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
