import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';

export interface DescribedStack {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
}

const member = (fields: Readonly<Record<string, string>>): string =>
  `<member>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</member>`;

const described = ({ name, tags = {}, outputs = {} }: DescribedStack): string => {
  const Tags = Object.entries(tags).map(([Key, Value]) => member({ Key, Value }));
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) =>
    member({ OutputKey, OutputValue }),
  );
  return member({
    StackName: name,
    StackStatus: 'CREATE_COMPLETE',
    CreationTime: '2026-11-02T09:15:00.000Z',
    Tags: Tags.join(''),
    Outputs: Outputs.join(''),
  });
};

/** DescribeStacks of CloudFormation, two stacks to a page. Other calls, and a refusal, are errors of AWS. */
export async function startCloudFormation(stacks: readonly DescribedStack[], { refused = false } = {}) {
  const server = createServer(async (request, response) => {
    const parameters = new URLSearchParams(await text(request));
    const error = (Code: string, Message: string): void => {
      response.statusCode = Code === 'AccessDenied' ? 403 : 400;
      response.end(
        `<ErrorResponse><Error>${member({ Type: 'Sender', Code, Message }).slice(8, -9)}</Error></ErrorResponse>`,
      );
    };
    if (refused) return error('AccessDenied', 'User: test is not authorized to perform: DescribeStacks');
    if (parameters.get('Action') !== 'DescribeStacks') return error('InvalidAction', 'Unknown action');
    const name = parameters.get('StackName');
    const found = stacks.filter((stack) => name === null || stack.name === name);
    if (name !== null && found.length === 0)
      return error('ValidationError', `Stack with id ${name} does not exist`);
    const start = Number(parameters.get('NextToken') ?? 0);
    const page = found
      .slice(start, start + 2)
      .map(described)
      .join('');
    const next = start + 2 < found.length ? `<NextToken>${start + 2}</NextToken>` : '';
    const result = `<DescribeStacksResult><Stacks>${page}</Stacks>${next}</DescribeStacksResult>`;
    response.end(`<DescribeStacksResponse>${result}</DescribeStacksResponse>`);
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  return url;
}
