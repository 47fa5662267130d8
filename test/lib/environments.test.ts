import { expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { synthesise } from './synthesis.ts';

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
