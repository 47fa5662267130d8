import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import {
  bytesOf,
  disputedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocalMode } from '../../local/command/local-process.ts';
import { privateKey, requestsTo, sandboxKey } from '../local/pipeline/running-pipeline.ts';
import { findTools } from './tools.ts';

const root = join(import.meta.dirname, '../..');
const documents = ['openapi', 'operations.openapi'] as const;
const ended = new AbortController();
let tools: string;
let folder: string;
let baseUrl: string;

beforeAll(async () => {
  tools = await findTools();
  folder = await mkdtemp(join(tmpdir(), 'payhooks-clients-'));
  const keys = ['--private-key', privateKey, '--sandbox-key', sandboxKey];
  ({ baseUrl } = await startLocalMode(['--no-demo', ...keys], ended.signal));
  const pay = (orderId: string) => paidEvent({ orderId, transactionId: orderId, eventId: `paid ${orderId}` });
  await post(pay('order-1'), pay('order-2'), pay('order-3'), pay('order-4'));
  await post(disputedEvent({ orderId: 'order-2', transactionId: 'order-2' }));
  await post(unknownEvent({ orderId: 'order-3', transactionId: 'order-3', eventName: 'charge.won' }));
  await post(refundedEvent({ orderId: 'order-4', transactionId: 'order-4', amount: '1.00' }));
});
afterAll(async () => {
  ended.abort();
  await rm(folder, { recursive: true, force: true });
});

/** Resolves when each event counts in its order. */
async function post(...events: ReturnType<typeof paidEvent>[]): Promise<void> {
  const requests = requestsTo(baseUrl);
  for (const event of events) {
    await requests.post(bytesOf(event));
    const counts = ({ events: all }: Readonly<Record<string, unknown>>) =>
      JSON.stringify(all).includes(event.id);
    await requests.order(event.payload.transaction.order_id, counts);
  }
}

const orders = `order-1 paid [] 1
order-2 paid [disputed] 2
order-3 paid [] 2
order-4 partially_refunded [] 2
404
`;

// Optimised code pays only in programs that run longer.
const brief = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** Resolves with what the command printed. It finds the tools first. */
async function run(command: string, options: readonly string[], cwd = folder, env = {}): Promise<string> {
  const path = [join(tools, 'bin'), process.env['PATH']].join(delimiter);
  const environment = { ...process.env, PATH: path, JAVA_TOOL_OPTIONS: brief, ...env };
  const { stdout } = await promisify(execFile)(command, options, {
    cwd,
    env: environment,
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/** Generates the client of a document into a new folder of this name. */
async function generate(generator: string, document: string, ...options: string[]): Promise<string> {
  const output = join(folder, `${generator}-${document}`);
  const input = join(root, 'docs', `${document}.json`);
  await run('openapi-generator-cli', ['generate', '-g', generator, '-i', input, '-o', output, ...options]);
  return output;
}

it.each(documents)('Redocly finds no error in %s.json', async (document) => {
  const lint = [
    'exec',
    '--yes',
    '--prefer-offline',
    '--package=@redocly/cli@2.77.0',
    '--',
    'redocly',
    'lint',
  ];
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  await run('npm', [...lint, join(root, 'docs', `${document}.json`)], folder, env);
});

it('Java clients that openapi-generator makes compile and read orders', async () => {
  const compile = ['--quiet', '--batch-mode', 'compile', 'dependency:build-classpath'];
  const [query = '', operations = ''] = await Promise.all(
    documents.map((document) => generate('java', document, '--library=native')),
  );
  await copyFile(join(import.meta.dirname, 'ReadOrders.java'), join(query, 'src/main/java/ReadOrders.java'));
  for (const project of [query, operations])
    await run('mvn', [...compile, '-Dmdep.outputFile=classpath'], project);
  const classpath = ['target/classes', await readFile(join(query, 'classpath'), 'utf8')].join(delimiter);
  expect(await run('java', ['-cp', classpath, 'ReadOrders', baseUrl], query)).toBe(orders);
});

it('Go clients that openapi-generator makes compile and read orders', async () => {
  // Their names of the values of enums would collide without the prefix.
  const names = ['--git-user-id=example', '--git-repo-id=payhooks'];
  const properties = '--additional-properties=packageName=payhooks,enumClassPrefix=true';
  // The standard library is enough.
  const env = { GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  const [query = '', operations = ''] = await Promise.all(
    documents.map((document) => generate('go', document, ...names, properties)),
  );
  await mkdir(join(query, 'read_orders'));
  await copyFile(join(import.meta.dirname, 'read_orders.go'), join(query, 'read_orders', 'main.go'));
  await run('go', ['build', './...'], operations, env);
  expect(await run('go', ['run', './read_orders', baseUrl], query, env)).toBe(orders);
});

it('Python clients that openapi-python-client makes compile, and the example ships with one', async () => {
  for (const document of documents) {
    const input = ['--path', join(root, 'docs', `${document}.json`), '--meta', 'none', '--fail-on-warning'];
    const output = join(folder, 'python', document === 'openapi' ? 'payhooks_client' : 'operations');
    await run('openapi-python-client', ['generate', ...input, '--output-path', output]);
    await run('python3', ['-m', 'compileall', '-q', output]);
  }
  const example = join(root, 'examples', 'order-system-python', 'order_system.py');
  await copyFile(example, join(folder, 'python', 'order_system.py'));
  const ship = () => run('python3', ['order_system.py', baseUrl, 'shop.db'], join(folder, 'python'));
  expect(await ship()).toBe('order-1: ship it\norder-3: ship it\n');
  expect(await ship()).toBe('');
  await post(refundedEvent({ orderId: 'order-1', transactionId: 'order-1', eventId: 'refund' }));
  expect(await ship()).toBe('order-1: shipped, and now refunded []: ask a person\n');
});

it('the Python example signs like the AWS SDK', async () => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  const script = `
import httpx, order_system
request = httpx.Request('GET', 'https://abc123.execute-api.eu-central-1.amazonaws.com/orders/a%2Fb?mode=live&limit=5')
next(order_system.SignatureV4(request.url.host).auth_flow(request))
print(request.headers['x-amz-date'], request.headers['authorization'])
`;
  const env = {
    ...{ AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    AWS_SESSION_TOKEN: undefined,
  };
  const printed = await run('python3', ['-c', script], join(folder, 'python'), env);
  const [, date = '', authorization] = /^(\S+) (.*)\n$/.exec(printed) ?? [];
  const signer = new SignatureV4({
    ...{ service: 'execute-api', region: 'eu-central-1', credentials, applyChecksum: false },
    sha256: Hash.bind(null, 'sha256'),
  });
  const hostname = 'abc123.execute-api.eu-central-1.amazonaws.com';
  const headers = { host: hostname, 'x-amz-date': date };
  const query = { mode: 'live', limit: '5' };
  const request = { method: 'GET', protocol: 'https:', hostname, path: '/orders/a%2Fb', query, headers };
  const signingDate = new Date(date.replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5'));
  expect((await signer.sign(request, { signingDate })).headers['authorization']).toBe(authorization);
});
