import { expect, it } from 'vitest';
import { deployCommandOf } from '../../cli/target/stack.ts';

const commandFor = (name: string) => deployCommandOf({ name, outputs: {}, region: 'eu-west-1' });

it('deploys the environment of the stack, and not production in its place', () => {
  expect(commandFor('payhooks-development')).toBe('npx cdk deploy -c environmentName=development');
  expect(commandFor('payhooks-blue-2')).toBe('npx cdk deploy -c environmentName=blue-2');
});

it('names no environment for production, which is what cdk.json begins with', () => {
  expect(commandFor('payhooks-production')).toBe('npx cdk deploy');
});
