import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { arnOf } from '../account.ts';
import { serve } from './faults.ts';

/** The stack that runs. */
export interface RunningStack {
  readonly name: string;
  readonly template: object;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly resources: readonly {
    readonly logicalId: string;
    readonly physicalId: string;
    readonly type: string;
  }[];
}

/** DescribeStacks, GetTemplate and ListStackResources of the stack that runs, on a free loopback port. */
export async function startCloudFormation() {
  let running: RunningStack | undefined;
  const server = createServer(async (request, response) => {
    const parameters = new URLSearchParams(await text(request));
    const action = parameters.get('Action') ?? '';
    const isRunning = running?.name === parameters.get('StackName');
    const result = running && isRunning ? resultOf(action, running) : undefined;
    response.setHeader('content-type', 'text/xml');
    if (result === undefined) {
      const message = escaped(`${action} of ${parameters.get('StackName')} does not exist`);
      response.statusCode = 400;
      const error = `<Error><Code>ValidationError</Code><Message>${message}</Message></Error>`;
      response.end(`<ErrorResponse>${error}</ErrorResponse>`);
      return;
    }
    response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`);
  });
  return {
    ...(await serve(server)),
    show(stack: RunningStack): void {
      running = stack;
    },
  };
}

function resultOf(
  action: string,
  { name, template, resources, outputs = {} }: RunningStack,
): string | undefined {
  if (action === 'DescribeStacks') {
    const members = Object.entries(outputs).map(
      ([key, value]) => `<member>${element('OutputKey', key)}${element('OutputValue', value)}</member>`,
    );
    const about = element('StackName', name) + element('StackStatus', 'CREATE_COMPLETE');
    return `<Stacks><member>${about}<Outputs>${members.join('')}</Outputs></member></Stacks>`;
  }
  if (action === 'GetTemplate') return element('TemplateBody', JSON.stringify(template));
  if (action !== 'ListStackResources') return undefined;
  const members = resources.map(({ logicalId, physicalId, type }) =>
    [
      '<member>',
      element('LogicalResourceId', logicalId),
      element('PhysicalResourceId', physicalId),
      element('ResourceType', type),
      element('ResourceStatus', 'CREATE_COMPLETE'),
      element('StackId', arnOf('cloudformation', `stack/${name}/local`)),
      '</member>',
    ].join(''),
  );
  return `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
}

const element = (name: string, value: string): string => `<${name}>${escaped(value)}</${name}>`;

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
