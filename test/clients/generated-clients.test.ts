import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  bytesOf,
  disputedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalMode } from '../../local/command/local-process.ts';
import { privateKey, requestsTo, sandboxKey } from '../local/pipeline/running-pipeline.ts';

const root = join(import.meta.dirname, '../..');
const ended = new AbortController();
let folder: string;
let env: NodeJS.ProcessEnv;

const of = (orderId: string) => ({ orderId, transactionId: orderId });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payhooks-clients-'));
  const tools = await findTools();
  const keys = ['--private-key', privateKey, '--sandbox-key', sandboxKey];
  const { baseUrl } = await startLocalMode(['--no-demo', ...keys], ended.signal);
  env = {
    ...process.env,
    PATH: `${tools}/bin:${process.env['PATH']}`,
    // Optimised code pays only in programs that run longer.
    JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
    ...{ BASE_URL: baseUrl, DOCUMENTS: 'openapi operations.openapi', ROOT: root },
    ...{ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  };
  for (const order of ['order-1', 'order-2', 'order-3', 'order-4']) await post(paidEvent(of(order)));
  await post(disputedEvent(of('order-2')));
  await post(unknownEvent({ ...of('order-3'), eventName: 'charge.won' }));
  await post(refundedEvent({ ...of('order-4'), amount: '1.00' }));
});
afterAll(async () => {
  ended.abort();
  await rm(folder, { recursive: true, force: true });
});

/** Resolves with the virtual environment of the generators: PAYHOOKS_CLIENTS_VENV, or the default folder. */
async function findTools(): Promise<string> {
  const pins = await readFile(join(import.meta.dirname, 'requirements.txt'), 'utf8');
  const [, version] = /^openapi-generator-cli==(\S+)/m.exec(pins) ?? [];
  const { XDG_CACHE_HOME, PAYHOOKS_CLIENTS_VENV, PATH } = process.env;
  const cache = XDG_CACHE_HOME || join(homedir(), '.cache');
  const venv = PAYHOOKS_CLIENTS_VENV || join(cache, 'payhooks', `clients-${version}`);
  env = { PATH: `${venv}/bin:${PATH}` };
  const commands = 'javac mvn go openapi-generator-cli openapi-python-client';
  const missing = await run(`for one in ${commands}; do command -v $one >&2 || echo $one; done`);
  if (missing === '') return venv;
  throw new Error(
    `npm run test:clients lacks ${missing.trim().replaceAll('\n', ', ')}. Install Debian’s default-jdk-headless, ` +
      `maven and golang-go; and the generators, with Python 3.10 or newer: python3 -m venv ${venv} && ` +
      `${venv}/bin/pip install -r test/clients/requirements.txt`,
  );
}

/** Resolves when the event counts in its order. */
async function post(event: SampleEvent): Promise<void> {
  const { post, order } = requestsTo(env['BASE_URL'] ?? '');
  await post(bytesOf(event));
  await order(event.payload.transaction.order_id, ({ events }) => JSON.stringify(events).includes(event.id));
}

/** Resolves with what the commands printed. */
async function run(commands: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: folder, env: { ...env, ...more }, maxBuffer: 2 ** 26 };
  return (await promisify(execFile)('bash', ['-euc', commands], options)).stdout;
}

const orders = `order-1 paid [] 1
order-2 paid [disputed] 2
order-3 paid [] 2
order-4 partially_refunded [] 2
404
`;

it('Redocly finds no error in the documents', () =>
  run(
    'npm exec --yes --prefer-offline --package=@redocly/cli@2.77.0 -- redocly lint $ROOT/docs/*openapi.json',
  ));

it('Java clients that openapi-generator makes compile and read orders', async () => {
  const printed = await run(`
    for document in $DOCUMENTS; do
      openapi-generator-cli generate -g java --library native -i $ROOT/docs/$document.json -o java/$document >&2
      cp $ROOT/test/clients/ReadOrders.java java/openapi/src/main/java
      (cd java/$document && mvn --quiet --batch-mode compile dependency:build-classpath -Dmdep.outputFile=classpath >&2)
    done
    java -cp java/openapi/target/classes:$(cat java/openapi/classpath) ReadOrders $BASE_URL`);
  expect(printed).toBe(orders);
});

it('Go clients that openapi-generator makes compile and read orders, with the standard library alone', async () => {
  // The names of the values of enums collide without their prefix.
  const printed = await run(
    `for document in $DOCUMENTS; do
      openapi-generator-cli generate -g go --git-user-id example --git-repo-id payhooks \\
        --additional-properties=packageName=payhooks,enumClassPrefix=true \\
        -i $ROOT/docs/$document.json -o go/$document >&2
      (cd go/$document && go build ./...)
    done
    cd go/openapi
    mkdir read_orders
    cp $ROOT/test/clients/read_orders.go read_orders
    go run ./read_orders $BASE_URL`,
    { GOPROXY: 'off', GOTOOLCHAIN: 'local' },
  );
  expect(printed).toBe(orders);
});

describe('a Python client that openapi-python-client makes', () => {
  beforeAll(async () => {
    await run(`
    mkdir python
    for document in $DOCUMENTS; do
      openapi-python-client generate --fail-on-warning --meta none --path $ROOT/docs/$document.json \\
        --output-path python/$document
      python3 -m compileall -q python/$document
    done
    mv python/openapi python/payhooks_client
    cp $ROOT/examples/order-system-python/order_system.py python`);
  });

  // The generator drops a schema with one entry in `allOf`, without a warning.
  it('has the fields of a schema that extends another one', async () => {
    const fields = await run('grep "^    [a-z_]*:" python/operations.openapi/models/erase_result.py');
    expect(fields).toMatch(/orders: .*\n.*erased: /s);
  });

  it('lets the example ship each order once', async () => {
    const ship = () => run('cd python && python3 order_system.py $BASE_URL shop.db');
    expect(await ship()).toBe('order-1: ship it\norder-3: ship it\n');
    expect(await ship()).toBe('');
    await post(refundedEvent(of('order-1')));
    expect(await ship()).toBe('order-1: shipped, and now refunded []: ask a person\n');
  });

  it('signs like the AWS SDK, with the code of the example', async () => {
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
    const hostname = 'abc123.execute-api.eu-central-1.amazonaws.com';
    const script = `import httpx, order_system
request = httpx.Request("GET", "https://${hostname}/orders/a%2Fb?mode=live&limit=5")
next(order_system.SignatureV4(request.url.host).auth_flow(request))
print(request.headers["x-amz-date"], request.headers["authorization"])`;
    const printed = await run(`cd python && python3 -c '${script}'`, {
      ...{ AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey },
      AWS_SESSION_TOKEN: '',
    });
    const [, date = '', authorization] = /^(\S+) (.*)\n$/.exec(printed) ?? [];
    const sha256 = Hash.bind(null, 'sha256');
    const scope = { service: 'execute-api', region: 'eu-central-1', applyChecksum: false };
    const signed = await new SignatureV4({ ...scope, credentials, sha256 }).sign(
      {
        ...{ method: 'GET', protocol: 'https:', hostname, path: '/orders/a%2Fb' },
        ...{ query: { mode: 'live', limit: '5' }, headers: { host: hostname, 'x-amz-date': date } },
      },
      { signingDate: new Date(date.replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5')) },
    );
    expect(authorization).toBe(signed.headers['authorization']);
  });
});
