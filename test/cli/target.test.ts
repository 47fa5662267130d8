import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { explainError } from '../../cli/explain-error.ts';
import { createInput } from '../../cli/input.ts';
import type { CommonOptions } from '../../cli/session.ts';
import { describeStack } from '../../cli/target/stack.ts';
import { createTarget } from '../../cli/target/target.ts';
import { type DescribedStack, startCloudFormation } from '../doubles/cloudformation.ts';
import { startLocalStack } from '../doubles/local-stack.ts';

const nobody = 'http://127.0.0.1:2';

/** What is said of the target that is found, or the exit code and the sentence of what went wrong. */
async function found(options: CommonOptions, defaultLocalUrl = nobody) {
  const told: string[] = [];
  const unused = () => {
    throw new Error('not used');
  };
  const terminal = {
    print: unused,
    json: unused,
    table: unused,
    style: unused,
    progress: () => {},
    tell: (line: string) => void told.push(line),
  };
  const input = createInput(process.stdin, process.stderr);
  const target = createTarget({ env: {}, terminal, input, now: Date.now, defaultLocalUrl }, options);
  try {
    const stack = await target.stack();
    await target.stack();
    return { told, is: describeStack(stack), outputs: stack.outputs };
  } catch (error) {
    const { exitCode, message } = explainError(error, {});
    return { told, exitCode, says: message };
  }
}

const stack = (name: string, change: Partial<DescribedStack> = {}): DescribedStack => ({
  name,
  tags: { application: 'payhooks' },
  outputs: { WebhookUrl: `https://${name}.example/` },
  ...change,
});

async function inAws(stacks: readonly DescribedStack[], options = {}): Promise<void> {
  vi.stubEnv('AWS_ENDPOINT_URL', await startCloudFormation(stacks, options));
}

beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL', nobody);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterEach(() => void vi.unstubAllEnvs());

describe('the target', () => {
  it('is not an empty name, which a variable that is not set gives', async () => {
    expect(await found({ stack: '' })).toMatchObject({
      exitCode: 2,
      says: '--stack is empty; expected the name of a stack.',
    });
  });

  it('is the stack that was named, by its outputs', async () => {
    await inAws([stack('payhooks-a'), stack('payhooks-b', { tags: {} })]);
    expect(await found({ stack: 'payhooks-b' })).toEqual({
      told: ['payhooks-b in eu-west-1'],
      is: 'payhooks-b in eu-west-1',
      outputs: { WebhookUrl: 'https://payhooks-b.example/' },
    });
  });

  it('is not told with --json', async () => {
    await inAws([stack('payhooks-a')]);
    expect((await found({ stack: 'payhooks-a', json: true })).told).toEqual([]);
  });

  it('is local mode where it answers, before any stack in AWS', async () => {
    await inAws([stack('payhooks-a')]);
    const local = await startLocalStack();
    expect(await found({}, local.url)).toMatchObject({ told: [`local mode at ${local.url}`] });
    expect(await found({ local: local.url })).toMatchObject({ is: `local mode at ${local.url}` });
    // What local mode itself advises.
    expect(await found({ stack: 'payhooks-local' }, local.url)).toMatchObject({
      is: `local mode at ${local.url}`,
    });
    expect(await found({ stack: 'payhooks-a' }, local.url)).toMatchObject({ is: 'payhooks-a in eu-west-1' });
  });

  it('is the only stack with the tag, on whatever page of the list', async () => {
    const others = ['x', 'y', 'z'].map((name) => stack(name, { tags: { application: 'other' } }));
    await inAws([...others, stack('payhooks-production')]);
    expect(await found({})).toMatchObject({ told: ['payhooks-production in eu-west-1'] });
  });

  it('is asked for where there are several', async () => {
    await inAws(['payhooks-a', 'payhooks-b', 'payhooks-c'].map((name) => stack(name)));
    expect(await found({})).toEqual({
      told: [],
      exitCode: 2,
      says:
        'There are 3 stacks of payhooks in eu-west-1; say which one:\n' +
        '  --stack payhooks-a\n  --stack payhooks-b\n  --stack payhooks-c',
    });
  });

  it('is missing where there is none: what to do is said', async () => {
    await inAws([stack('other', { tags: {} })]);
    expect(await found({})).toEqual({
      told: [],
      exitCode: 1,
      says: expect.stringMatching(
        /no stack in eu-west-1 has the tag application=payhooks.*npm start.*npx cdk deploy/,
      ),
    });
  });

  it('is missing under a name that no stack has', async () => {
    await inAws([stack('payhooks-a')]);
    expect(await found({ stack: 'payhooks-z' })).toMatchObject({
      exitCode: 1,
      says: expect.stringContaining('There is no stack payhooks-z in eu-west-1'),
    });
  });

  it('cannot be had with credentials that lack the permission', async () => {
    await inAws([], { refused: true });
    expect(await found({ stack: 'payhooks-a' })).toMatchObject({
      exitCode: 3,
      says: expect.stringMatching(
        /^AWS knows the credentials, and they lack a permission: .*not authorized to perform: DescribeStacks/,
      ),
    });
  });

  it('cannot be reached where nobody answers', async () => {
    expect(await found({})).toMatchObject({
      exitCode: 4,
      says: expect.stringContaining('AWS was asked in vain'),
    });
    expect(await found({ local: nobody })).toMatchObject({
      exitCode: 4,
      says: `No local mode answers at ${nobody}. Start it with: npm start`,
    });
  });

  it('is no other server that happens to listen there', async () => {
    const server = createServer((_, response) => void response.end('{"hello":"world"}'));
    const url = await listen(server, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => closeServer(server));
    await inAws([stack('payhooks-a')]);
    expect(await found({}, url)).toMatchObject({ is: 'payhooks-a in eu-west-1' });
    expect(await found({ local: url })).toMatchObject({ exitCode: 1 });
  });

  it.each(['https://shop.example', 'webhook-id', 'http://192.0.2.1:4800'])(
    'is no local mode at %s',
    async (local) => {
      expect(await found({ local })).toMatchObject({ exitCode: 2 });
    },
  );
});
