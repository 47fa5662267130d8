import { expect, it } from 'vitest';
import { chooseDeployment, type DeploymentChoice } from '../../../local/pipeline/deployment.ts';

const Type = 'AWS::SQS::Queue';
const queueOf = (name: string) => ({ Type, Metadata: { 'payhooks:deployment': name } });

/** A stack of an app, with a deployment for each id, whose outputs begin with it. */
const stackOf = (stackName: string, ...ids: string[]) => ({
  ...{ directory: '/out', stackName },
  template: {
    Resources: Object.fromEntries([
      ...ids.map((id) => [`${id}Queue`, queueOf(`${stackName}-${id}`)]),
      ...[
        ['Other', { Type }],
        ['CDKMetadata', { Type: 'AWS::CDK::Metadata', Condition: 'Available' }],
      ],
    ]),
    Outputs: Object.fromEntries([
      ...ids.map((id) => [`${id}PayhooksDeployment`, { Value: `${stackName}-${id}` }]),
      ['Other', { Value: 1 }],
    ]),
  },
});

function choose(stacks: readonly ReturnType<typeof stackOf>[], choice: DeploymentChoice = {}) {
  const leftOut: string[] = [];
  const chosen = chooseDeployment(choice, (sentence) => leftOut.push(sentence))(stacks);
  return { ...chosen, leftOut };
}

it('local mode runs the resources of the only deployment, with its outputs, and names the others', () => {
  const Outputs = { PayhooksDeployment: { Value: 'Shop-Payments' } };
  expect(choose([stackOf('Shop', 'Payments'), stackOf('Network')])).toEqual({
    ...{ directory: '/out', stackName: 'Shop', namePrefix: 'Shop-Payments' },
    template: { Resources: { PaymentsQueue: queueOf('Shop-Payments') }, Outputs },
    leftOut: ['Left out, as no part of Shop-Payments: AWS::SQS::Queue (1), the stack Network.'],
  });
});

it.each<[DeploymentChoice, string | undefined]>([
  [{ stack: 'Test' }, 'Test-A'],
  [{ stack: 'Shop/B' }, 'Shop-B'],
  [{}, undefined],
  [{ stack: 'Shop' }, undefined],
  [{ stack: 'Prod' }, undefined],
])('of several deployments, %j chooses %s, or local mode lists them', (choice, name) => {
  const chosen = () => choose([stackOf('Shop', 'A', 'B'), stackOf('Test', 'A')], choice).namePrefix;
  if (name !== undefined) expect(chosen()).toBe(name);
  else expect(chosen).toThrow(/:\n {2}--stack Shop\/A\n {2}--stack Shop\/B\n {2}--stack Test\/A$/);
});

it('local mode names the stacks of an app that has no deployment', () => {
  const message = 'No stack of the app has payhooks in it. Its stacks: Network, Shop.';
  expect(() => choose([stackOf('Network'), stackOf('Shop')])).toThrow(message);
});
