import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSend } from '../acceptance/questions.ts';
import { type Certificate, createCertificate } from './certificate.ts';
import { findMiniStack } from './ministack-environment.ts';
import { startSecretsFront } from './secrets-front.ts';

const region = 'us-east-1';
const account = '000000000000';

/** AWS on loopback: its address, and what a client of it needs. */
export interface MiniStack {
  readonly endpoint: string;
  readonly region: string;
  readonly account: string;
  readonly certificate: Certificate;
  /** Ours to write to; deleted with everything that MiniStack wrote. */
  readonly folder: string;
  /** What a process needs to take MiniStack for AWS. It holds nothing of the caller's environment. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts MiniStack on loopback with everything on that real AWS has on: TLS, signatures, and the policies of
 * identities and resources. Rejects with one sentence when it is not installed. Ends with the process at the latest.
 */
export async function startMiniStack(): Promise<MiniStack> {
  const venv = await findMiniStack();
  const folder = await mkdtemp(join(tmpdir(), 'payhooks-deploy-'));
  let stop = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const certificate = await createCertificate(folder);
    const port = await freePort();
    const endpoint = `https://localhost:${port}`;
    const environment = await createEnvironment({ folder, endpoint, certificate });
    const front = await startSecretsFront(endpoint, certificate);
    const removeFolder = stop;
    stop = async () => {
      await front.close();
      await removeFolder();
    };
    const started = run(join(venv, 'bin', 'ministack'), {
      ...serverEnvironment(environment, certificate, port),
      // Its functions inherit this.
      AWS_ENDPOINT_URL_SECRETS_MANAGER: front.endpoint,
    });
    const closeFront = stop;
    stop = async () => {
      await started.end();
      await closeFront();
    };
    await ready(endpoint, certificate, started);
    return { endpoint, region, account, certificate, folder, environment, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Surroundings {
  readonly folder: string;
  readonly endpoint: string;
  readonly certificate: Certificate;
}

async function createEnvironment({ folder, endpoint, certificate }: Surroundings) {
  const home = join(folder, 'home');
  const temporary = join(folder, 'tmp');
  await Promise.all([home, temporary].map((one) => mkdir(one)));
  return {
    // This Node first: it is the one that MiniStack runs the functions with, and the CDK app.
    PATH: [dirname(process.execPath), process.env['PATH']].join(':'),
    HOME: home,
    TMPDIR: temporary,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    // The root user of MiniStack.
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
    NODE_EXTRA_CA_CERTS: certificate.certificateFile,
    AWS_CA_BUNDLE: certificate.certificateFile,
  };
}

function serverEnvironment(environment: Record<string, string>, certificate: Certificate, port: number) {
  const folder = dirname(certificate.certificateFile);
  return {
    ...environment,
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    MINISTACK_HOST: 'localhost',
    MINISTACK_REGION: region,
    AUTH: 'true',
    USE_SSL: '1',
    MINISTACK_SSL_CERT: certificate.certificateFile,
    MINISTACK_SSL_KEY: certificate.keyFile,
    // Both would open ports of their own.
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    PERSIST_STATE: '0',
    STATE_DIR: join(folder, 'state'),
    S3_DATA_DIR: join(folder, 's3'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

interface Running {
  readonly child: ChildProcess;
  output(): string;
  end(): Promise<void>;
}

/** A process group of its own, so that the functions end with MiniStack, whatever ends it. */
function run(command: string, env: Record<string, string>): Running {
  const child = spawn(command, {
    env,
    cwd: env['TMPDIR'],
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
    });
  }
  const exited = once(child, 'exit').catch(() => undefined);
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended already.
    }
  };
  process.once('exit', kill);
  return {
    child,
    output: () => output,
    async end() {
      kill();
      await exited;
      process.off('exit', kill);
    },
  };
}

async function ready(endpoint: string, { ca }: Certificate, { child, output }: Running): Promise<void> {
  const send = createSend({ ca });
  for (let attempts = 0; attempts < 150 && child.exitCode === null; attempts += 1) {
    const healthy = await send(`${endpoint}/_ministack/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (healthy) return;
    await pause(200);
  }
  const what = child.exitCode === null ? 'was not ready within 30 seconds' : 'ended before it was ready';
  throw new Error(`MiniStack ${what}:\n${output()}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('Loopback gave no port.');
  return address.port;
}
