import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import type { Synthesis } from '../lib/synthesis.ts';

const { NO_CHANGE, WILL_CREATE, WILL_UPDATE } = ResourceImpact;

/** What holds data, has an address that others use, or remembers how far it has read. */
export const statefulTypes = [
  ...['AWS::ApiGatewayV2::Api', 'AWS::ApiGatewayV2::Stage', 'AWS::DynamoDB::Table', 'AWS::Events::Archive'],
  ...['AWS::Events::EventBus', 'AWS::Lambda::EventSourceMapping', 'AWS::Logs::LogGroup', 'AWS::SNS::Topic'],
  ...['AWS::SecretsManager::Secret', 'AWS::SQS::Queue'],
];

/**
 * The resources that a deployment of `after` over `before` would replace, delete or abandon, by CloudFormation's
 * specification, which has the properties that cannot be changed in place.
 */
export function lostResources(before: object, after: object): readonly string[] {
  const lost: string[] = [];
  fullDiff(before, after).resources.forEachDifference((id, { resourceType, changeImpact }) => {
    if ([NO_CHANGE, WILL_CREATE, WILL_UPDATE].includes(changeImpact)) return;
    lost.push(`${resourceType} ${id} ${changeImpact}`);
  });
  return lost.sort();
}

export const lostData = (before: object, after: object): readonly string[] =>
  lostResources(before, after).filter((line) => statefulTypes.includes(line.split(' ')[0] ?? ''));

export const templateOf = ({ resources, outputs }: Synthesis) => ({
  Resources: Object.fromEntries(resources),
  Outputs: outputs,
});
