import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderExample } from '../../docs/openapi/examples.ts';
import { startHttpServer } from '../doubles/http-server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
/** What an order system has to have installed beside the package; npm takes it from `dependencies`. */
const needed = ['@aws-sdk/credential-provider-node', '@smithy/core', '@smithy/signature-v4', '@smithy/types'];
let directory: string;
let installed: string;

const link = async (name: string): Promise<void> => {
  const target = join(directory, 'node_modules', name);
  await mkdir(dirname(target), { recursive: true });
  await symlink(join(root, 'node_modules', name), target);
};

/** An order system's own folder, with the package as npm packs it and without anything else of this one. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'payhooks-client-'));
  await run('npm', ['run', 'build:client'], { cwd: root });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory], { cwd: root });
  const [packed] = JSON.parse(stdout);
  installed = join(directory, 'node_modules', 'payhooks');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(directory, packed.filename), '--strip-components=1', '-C', installed]);
  await Promise.all([...needed, '@types/node', 'undici-types'].map(link));
});
afterAll(() => rm(directory, { recursive: true }));

describe('the package', () => {
  it('holds the client and its documents, and no Lambda', async () => {
    const files = await readdir(installed, { recursive: true });
    const listed = files.filter((file) => file.includes('.')).toSorted();
    expect(listed.filter((file) => !file.startsWith(join('client', 'dist')))).toEqual([
      'README.md',
      // npm packs whatever `bin` names.
      'bin/payhooks.cjs',
      'docs/openapi.json',
      'docs/order-query.md',
      'package.json',
    ]);
    expect(listed).toContain('client/dist/index.js');
    expect(listed).toContain('client/dist/index.d.ts');
  });

  it('has a command that says where it runs', async () => {
    const command = promisify(execFile)(process.execPath, [join(installed, 'bin', 'payhooks.cjs')]);
    await expect(command).rejects.toMatchObject({
      code: 1,
      stderr: 'This package holds payhooks/client. The command runs in a clone of the repository.\n',
    });
  });

  it('brings what the client needs', async () => {
    const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(needed));
  });

  it('runs in plain JavaScript, and signs', async () => {
    const { baseUrl, requests } = await startHttpServer(() => ({ body: JSON.stringify(orderExample) }));
    const script = `
      import { createOrderClient } from 'payhooks/client';
      const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
      const client = createOrderClient({ baseUrl: process.argv[2], region: 'us-east-1', credentials });
      const order = await client.order('order-1001');
      console.log(order.status);
    `;
    await writeFile(join(directory, 'system.mjs'), script);
    const { stdout } = await run(process.execPath, ['system.mjs', baseUrl], { cwd: directory });
    expect(stdout).toBe('refunded\n');
    expect(requests[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/);
  });

  it('has types that a TypeScript order system can build on, such as the one of the guide', async () => {
    const system = `
      import { createOrderClient, type Order, OrderNotFoundError } from 'payhooks/client';
      import document from 'payhooks/openapi.json' with { type: 'json' };
      const client = createOrderClient({ baseUrl: document.servers[1]!.url, credentials: false });
      export async function take(store: (order: Order) => Promise<void>, signal: AbortSignal): Promise<void> {
        for await (const order of client.changes({ signal, cursor: undefined })) await store(order);
      }
      export const known = (id: string): Promise<boolean> =>
        client.order(id).then(({ status }) => status === 'paid', (error) => !(error instanceof OrderNotFoundError));
      // @ts-expect-error There is no such status.
      export const wrong = (order: Order): boolean => order.status === 'Paid';
      // @ts-expect-error There is no such mode.
      void client.order('order-1', { mode: 'test' });
    `;
    const guide = await readFile(join(root, 'docs', 'order-query.md'), 'utf8');
    const [documented = ''] = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code);
    expect(documented).toContain('client.changes');
    const settings = {
      compilerOptions: {
        strict: true,
        module: 'nodenext',
        target: 'es2024',
        lib: ['es2024'],
        types: ['node'],
        resolveJsonModule: true,
        noEmit: true,
      },
      files: ['system.ts', 'documented.ts'],
    };
    await writeFile(join(directory, 'package.json'), '{"type":"module"}');
    await writeFile(join(directory, 'system.ts'), system);
    await writeFile(join(directory, 'documented.ts'), documented);
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(settings));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [tsc], { cwd: directory }).catch((error) => error);
    expect(stdout).toBe('');
  });
});
