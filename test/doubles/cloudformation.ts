import { deploymentOutput } from '../../lambdas/contract/deployment-metadata.ts';
import { AwsError, type Fields, startAwsQuery } from './aws-query.ts';

export interface DescribedStack {
  readonly name: string;
  readonly status?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A whole stack as DescribeStacks returns it. */
export const describedStack = ({ outputs = {}, ...stack }: DescribedStack): Fields =>
  foreignStack({ ...stack, outputs: { [deploymentOutput]: stack.name, ...outputs } });

/** A stack, with its own outputs only. */
export const foreignStack = ({
  name,
  status = 'CREATE_COMPLETE',
  outputs = {},
  parameters = {},
}: DescribedStack): Fields => ({
  StackName: name,
  StackStatus: status,
  CreationTime: '2026-11-02T09:15:00.000Z',
  Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
    ...{ ParameterKey, ParameterValue },
  })),
  Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
});

/** Two items to a page, so that a caller that reads only the first page misses some. */
export const pageOf = (items: readonly Fields[], list: string, token = '0'): Fields => {
  const end = Number(token) + 2;
  return { [list]: items.slice(Number(token), end), NextToken: end < items.length ? end : undefined };
};

/** CloudFormation with these stacks; `refused` takes the permission away. */
export function startCloudFormation(stacks: readonly DescribedStack[], { refused = false } = {}) {
  return startAwsQuery({
    DescribeStacks({ StackName, NextToken }) {
      if (refused)
        throw new AwsError('AccessDenied', 'User: test is not authorized to perform: DescribeStacks');
      const found = stacks.filter(({ name }) => StackName === undefined || name === StackName);
      if (StackName !== undefined && found.length === 0) {
        throw new AwsError('ValidationError', `Stack with id ${StackName} does not exist`);
      }
      return pageOf(found.map(foreignStack), 'Stacks', NextToken);
    },
  });
}
