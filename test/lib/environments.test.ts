import { describe, expect, it } from 'vitest';
import { type Synthesis, synthesise } from './synthesis.ts';

const oauth = { paymentServiceBaseUrl: 'https://pay.example.com', paymentServiceAuthentication: 'oauth' };
const production = synthesise(oauth);
const development = synthesise({ ...oauth, environmentName: 'development' });

/**
 * Types whose physical name is in the property `Name`; elsewhere it is in `QueueName`, `TableName` and so on. That
 * of a statement of a bus is its id: a second stack with it fails with "already exists in stack" (aws-cdk 29627).
 */
const named = [
  'AWS::Events::EventBus',
  'AWS::SSM::Parameter',
  'AWS::Scheduler::Schedule',
  'AWS::SecretsManager::Secret',
];
const physicalName = new RegExp(
  '^((Alarm|Archive|Bucket|Dashboard|Function|LogGroup|ManagedPolicy|Queue|Role|Table|Topic)Name' +
    '|KeyAlias|StatementId)$',
);

/** Every physical name that a stack sets, as "type name"; such names are unique in an account and region. */
function namesIn(stack: Synthesis): string[] {
  return [...stack.resources.values()].flatMap(({ Type, Properties }) =>
    Object.entries(Properties)
      .filter(([property]) => physicalName.test(property) || (property === 'Name' && named.includes(Type)))
      .filter(([, value]) => typeof value === 'string')
      .map(([, value]) => `${Type} ${value}`),
  );
}

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
    const namespaces = ({ resources }: Synthesis): Set<string> =>
      new Set([...JSON.stringify([...resources]).matchAll(/payhooks\/\w+/g)].map(([name]) => name));
    expect(namespaces(production)).toEqual(new Set(['payhooks/production']));
    expect(namespaces(development)).toEqual(new Set(['payhooks/development']));
  });
});

it('a template is ASCII only, because CloudFormation replaces other characters with question marks', () => {
  expect(JSON.stringify([...production.resources, production.outputs])).toMatch(/^[\x20-\x7e]+$/);
});
