import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CommonOptions, Process } from '../../cli/session.ts';
import { findStack } from '../../cli/target/target.ts';
import { explainError } from '../../operator/explain-error.ts';
import { deployCommandOf, describeStack } from '../../operator/stack/stack.ts';
import { type DescribedStack, startCloudFormation } from '../doubles/cloudformation.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { recordTerminal } from '../doubles/terminal.ts';

const closedUrl = 'http://127.0.0.1:2';

/** The stack that is found and what is printed about it, or the exit code and the message of the error. */
async function found(options: CommonOptions, defaultLocalUrl = closedUrl, env: NodeJS.ProcessEnv = {}) {
  const { terminal, notes: printed } = recordTerminal();
  try {
    const stack = await findStack({ terminal, defaultLocalUrl, env } as Process, options);
    return { printed, is: describeStack(stack), outputs: stack.outputs };
  } catch (error) {
    const { exitCode, message } = explainError(error, {});
    return { printed, exitCode, message };
  }
}

const stack = (name: string, change: Partial<DescribedStack> = {}): DescribedStack => ({
  name,
  outputs: { PayhooksDeployment: name, WebhookUrl: `https://${name}.example/` },
  ...change,
});

async function inAws(stacks: readonly DescribedStack[], options = {}): Promise<void> {
  vi.stubEnv('AWS_ENDPOINT_URL', await startCloudFormation(stacks, options));
}

beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL', closedUrl);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
describe('a command', () => {
  it('works on the stack that --stack names, and reads its outputs', async () => {
    await inAws([stack('payhooks-a'), stack('payhooks-b')]);
    expect(await found({ stack: 'payhooks-b' })).toEqual({
      printed: ['payhooks-b in eu-west-1'],
      is: 'payhooks-b in eu-west-1',
      outputs: { PayhooksDeployment: 'payhooks-b', WebhookUrl: 'https://payhooks-b.example/' },
    });
    expect((await found({ stack: 'payhooks-a', json: true })).printed).toEqual([]);
  });

  it('prefers a running local mode to the stacks in AWS', async () => {
    await inAws([stack('payhooks-a')]);
    const { url } = await startLocalStack();
    const local = `local mode at ${url}`;
    expect(await found({}, url)).toMatchObject({ printed: [local] });
    expect(await found({ local: url })).toMatchObject({ is: local });
    // The commands that local mode suggests use this name.
    expect(await found({ stack: 'payhooks-local' }, url)).toMatchObject({ is: local });
    expect(await found({ stack: 'payhooks-a' }, url)).toMatchObject({ is: 'payhooks-a in eu-west-1' });
  });

  it('works on the stack that PAYHOOKS_STACK names, and says so, unless an option names another', async () => {
    await inAws([stack('payhooks-a'), stack('payhooks-b')]);
    const { url } = await startLocalStack();
    const env = { PAYHOOKS_STACK: 'payhooks-b' };
    expect(await found({}, url, env)).toMatchObject({
      printed: ['payhooks-b in eu-west-1 (PAYHOOKS_STACK)'],
    });
    expect(await found({ stack: 'payhooks-a' }, url, env)).toMatchObject({
      printed: ['payhooks-a in eu-west-1'],
    });
    const local = { printed: [`local mode at ${url}`] };
    expect(await found({ local: url }, url, env)).toMatchObject(local);
    expect(await found({}, url, { PAYHOOKS_STACK: '' })).toMatchObject(local);
  });

  it('works on the only deployment, on any page of the list', async () => {
    const others = ['x', 'y', 'z'].map((name) =>
      stack(name, { outputs: { WebhookUrl: 'https://other.example/' } }),
    );
    await inAws([...others, stack('payhooks-production')]);
    expect(await found({})).toMatchObject({ printed: ['payhooks-production in eu-west-1'] });
    await inAws([stack('new', { outputs: {}, status: 'CREATE_IN_PROGRESS' })]);
    expect(await found({ stack: 'new' })).toMatchObject({ is: 'new in eu-west-1' });
    await inAws(others);
    // What another stack has is not taken for ours.
    const refusal = 'x is not one deployment of payhooks. x has: none';
    expect(await found({ stack: 'x' })).toEqual({ printed: [], exitCode: 2, message: refusal });
  });

  it('takes a stack without outputs for one whose first deployment has not ended', async () => {
    await inAws([stack('payhooks-a', { status: 'CREATE_IN_PROGRESS', outputs: {} })]);
    expect(await found({ stack: 'payhooks-a' })).toMatchObject({
      is: 'payhooks-a in eu-west-1',
      outputs: {},
    });
  });

  it('lists the stacks when there are several', async () => {
    await inAws(['a', 'b', 'c'].map((name) => stack(name)));
    const first = 'There are 3 payhooks stacks in eu-west-1; choose one, or set PAYHOOKS_STACK:';
    const message = [first, '  --stack a', '  --stack b', '  --stack c'].join('\n');
    expect(await found({})).toEqual({ printed: [], exitCode: 2, message });
  });

  it('works on one of several deployments of a stack, which has the outputs of that alone', async () => {
    const outputs = {
      PaymentsPayhooksDeployment: 'Shop-Payments-1A2B3C4D',
      PaymentsWebhookUrl: 'https://payments.example/',
      RefundsPayhooksDeployment: 'refunds',
      Bucket: 'shop',
    };
    await inAws([stack('Shop', { outputs })]);
    expect(await found({ stack: 'Shop/Payments' })).toEqual({
      printed: ['Shop/Payments in eu-west-1'],
      is: 'Shop/Payments in eu-west-1',
      outputs: { PayhooksDeployment: 'Shop-Payments-1A2B3C4D', WebhookUrl: 'https://payments.example/' },
    });
    const both = '\n  --stack Shop/Payments\n  --stack Shop/Refunds';
    for (const wanted of ['Shop', 'Shop/Orders']) {
      const message = `${wanted} is not one deployment of payhooks. Shop has:${both}`;
      expect(await found({ stack: wanted })).toEqual({ printed: [], exitCode: 2, message });
    }
    expect(await found({})).toMatchObject({ exitCode: 2, message: expect.stringContaining(both) });
  });

  it('takes the name of a stack for the deployment that is the whole stack, beside others in it', async () => {
    const outputs = { PayhooksDeployment: 'Shop', RefundsPayhooksDeployment: 'refunds' };
    await inAws([stack('Shop', { outputs })]);
    expect(await found({ stack: 'Shop' })).toMatchObject({ is: 'Shop in eu-west-1' });
    expect(await found({ stack: 'Shop/Refunds' })).toMatchObject({ is: 'Shop/Refunds in eu-west-1' });
  });

  it.each<[string, CommonOptions, number, RegExp]>([
    ['no stack has the output', {}, 1, /the output PayhooksDeployment.*npm start.*npx cdk deploy/],
    ['no stack has the name', { stack: 'payhooks-z' }, 1, /no stack payhooks-z in eu-west-1/],
    ['--stack is empty, as an unset variable gives it', { stack: '' }, 2, /^--stack is empty; expected/],
  ])('fails when %s', async (_, options, exitCode, message) => {
    await inAws([stack('other', { outputs: {} })]);
    expect(await found(options)).toMatchObject({ exitCode, message: expect.stringMatching(message) });
  });

  it('shows the missing permission when the credentials lack it', async () => {
    await inAws([], { refused: true });
    const message = /^The AWS credentials lack a permission: .*not authorized to perform: DescribeStacks/;
    const refused = { exitCode: 3, message: expect.stringMatching(message) };
    expect(await found({ stack: 'a' })).toMatchObject(refused);
  });

  it('fails with exit code 4 when neither local mode nor AWS can be reached', async () => {
    const neither = /^No local mode runs at .* AWS could not be reached/;
    expect(await found({})).toMatchObject({ exitCode: 4, message: expect.stringMatching(neither) });
    const message = `Local mode does not run at ${closedUrl}. Start it with: npm start -- --port 2`;
    expect(await found({ local: closedUrl })).toMatchObject({ exitCode: 4, message });
  });

  it('does not take another server for local mode', async () => {
    const server = createServer((_, response) => void response.end('{"hello":"world"}'));
    const url = await listen(server, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => closeServer(server));
    await inAws([stack('payhooks-a')]);
    expect(await found({}, url)).toMatchObject({ is: 'payhooks-a in eu-west-1' });
    expect(await found({ local: url })).toMatchObject({ exitCode: 1 });
  });

  it.each([
    ...['https://shop.example', 'webhook-id', 'http://192.0.2.1:4800', 'http://notlocalhost:4800'],
    ...['http://localhost.shop.example', 'http://127.0.0.1.shop.example:4800'],
  ])('refuses --local %s, which is not an address on this machine', async (local) => {
    expect(await found({ local })).toMatchObject({ exitCode: 2 });
  });
});

it.each([
  ['payhooks-production', 'npx cdk deploy'],
  ['payhooks-development', 'npx cdk deploy -c environmentName=development'],
  ['payhooks-blue-2', 'npx cdk deploy -c environmentName=blue-2'],
  ['Shop', 'npx cdk deploy Shop'],
])('the suggested command for %s deploys that environment, or that stack of another app', (name, command) => {
  expect(deployCommandOf({ name, outputs: {}, region: 'eu-west-1' })).toBe(command);
});
