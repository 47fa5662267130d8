import { expect, it } from 'vitest';
import { describeDeployed } from '../../../operator/aws/deployed-resources.ts';
import { eventMappings } from '../../../operator/safeguards/event-mappings.ts';
import { stubAws } from '../../doubles/aws-query.ts';

const Type = 'AWS::Lambda::EventSourceMapping';
const markOf = (deployment: string) => ({ 'payhooks:deployment': deployment });

/** What is wrong with a stack that has two disabled event source mappings. */
async function faultsWith(metadata: object, ofReports: object = {}) {
  const template = {
    Resources: { Consumer: { Type, Metadata: metadata }, Reports: { Type, Metadata: ofReports } },
  };
  await stubAws({
    GetTemplate: () => ({ TemplateBody: JSON.stringify(template) }),
    ListStackResources: () => ({
      StackResourceSummaries: ['Consumer', 'Reports'].map((id) => ({
        ...{ LogicalResourceId: id, PhysicalResourceId: `id-of-${id}`, ResourceType: Type },
      })),
    }),
    GetEventSourceMapping: ({ name }) => ({ UUID: name, State: 'Disabled' }),
  });
  const outputs = { KeySecretArn: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:keys' };
  const deployed = await describeDeployed({ name: 'payhooks-shop', region: 'us-east-1', outputs });
  return (await eventMappings.inspect(deployed)).map(({ message }) => message);
}

it.each([
  ['that an app added to the stack', {}],
  ['of another deployment in the stack', markOf('Shop-Refunds-1A2B3C4D')],
])('a disabled mapping %s is not called that of the consumer', async (_, ofReports) => {
  const own = markOf('payhooks-shop');
  expect(await faultsWith(own, ofReports)).toEqual(['the mapping of the consumer is disabled']);
  expect(await faultsWith(own, own)).toHaveLength(2);
});

it('a stack that has nothing of the deployment is refused, because nothing would be compared', async () => {
  await expect(faultsWith(markOf('Shop'))).rejects.toThrow('no resource is marked as part of payhooks-shop');
});
