import { describe, expect, it } from 'vitest';
import { namesIn, namespacesIn } from './physical-names.ts';
import { synthesise } from './synthesis.ts';

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

it('a template is ASCII only, because CloudFormation replaces other characters with question marks', () => {
  expect(JSON.stringify([...production.resources, production.outputs])).toMatch(/^[\x20-\x7e]+$/);
});
