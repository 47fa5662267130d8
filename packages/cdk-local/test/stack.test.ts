import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type CreatedStack, type StackOptions, startStack } from '../src/index.ts';
import { sampleTemplate } from './sample-template.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const code = `console.log('loaded');
exports.handler = async ({ pathParameters }) => {
  console.log('invoked');
  return { found: pathParameters };
};`;

let project: string;
let assembly: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'cdk-local-test-'));
  assembly = join(project, 'cdk.out');
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  await mkdir(join(assembly, 'asset.1'), { recursive: true });
  await writeFile(join(assembly, 'asset.1', 'index.js'), code);
  await writeFile(join(assembly, 'sample.template.json'), JSON.stringify(sampleTemplate()));
  const properties = { templateFile: 'sample.template.json' };
  const manifest = { artifacts: { sample: { type: 'aws:cloudformation:stack', properties } } };
  await writeFile(join(assembly, 'manifest.json'), JSON.stringify(manifest));
});
afterAll(() => rm(project, { recursive: true }));

async function start(options: Partial<StackOptions> = {}) {
  const lines: string[] = [];
  const stack = await startStack({
    assembly,
    onLine: ({ name }, line) => lines.push(`${name}: ${line}`),
    onFault: (sentence) => expect.unreachable(sentence),
    ...options,
  });
  onTestFinished(stack.stop);
  return { ...stack, lines };
}

async function useSecrets<T>({ clientSettings }: CreatedStack, use: (client: SecretsManager) => Promise<T>) {
  const client = new SecretsManager(clientSettings('secretsManager'));
  return use(client).finally(() => client.destroy());
}

describe('a started stack', () => {
  it('serves the routes of the template with its functions, and passes on what they write', async () => {
    const { baseUrl, model, lines, invoke } = await start();
    const response = await fetch(`${baseUrl}/orders/order-1`);
    expect([response.status, await response.json()]).toEqual([200, { found: { id: 'order-1' } }]);
    expect(await invoke('Worker', { pathParameters: 1 })).toEqual({ ok: true, payload: '{"found":1}' });
    await expect.poll(() => lines).toEqual(['loaded', 'invoked', 'invoked'].map((text) => `Worker: ${text}`));
    expect(model.stackName).toBe('sample');
  });

  it('lets the caller seed resources before any function loads, and keeps them in a data directory', async () => {
    const dataDirectory = join(project, 'data');
    const steps: string[] = [];
    const seed = (stack: CreatedStack): Promise<void> =>
      useSecrets(stack, async (client) => {
        await client.putSecretValue({ SecretId: 'Keys', SecretString: 'seeded' });
        expect(steps).toEqual([]);
      });
    const first = await start({ dataDirectory, seed, onLine: (_, line) => steps.push(line) });
    await expect.poll(() => steps).toEqual(['loaded']);
    await expect(start({ dataDirectory })).rejects.toThrow(`in use by the process ${process.pid}`);
    await first.stop();
    const second = await start({ dataDirectory });
    const read = (client: SecretsManager) => client.getSecretValue({ SecretId: 'Keys' });
    expect((await useSecrets(second, read)).SecretString).toBe('seeded');
  });

  it('leaves nothing running when a part does not start', async () => {
    const { baseUrl, stop } = await start();
    const port = Number(new URL(baseUrl).port);
    await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await stop();
    const seed = () => Promise.reject(new Error('no seed'));
    await expect(start({ port, seed })).rejects.toThrow('no seed');
    expect((await start({ port })).baseUrl).toBe(baseUrl);
  });
});

describe('the README', () => {
  it('shows a program that runs as it stands', async () => {
    await symlink(new URL('../../../node_modules', import.meta.url).pathname, join(project, 'node_modules'));
    const [, program = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      ...{ cwd: project, stdio: ['ignore', 'pipe', 'inherit'] },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /^Serving GET \/orders\/\{id\} at (.+)$/.exec(line) ?? [];
      if (url === undefined) continue;
      expect((await fetch(`${url}/orders/order-2`)).status).toBe(200);
      return;
    }
    expect.unreachable('The program ended before it printed a line.');
  });
});
