import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSend } from '../acceptance/pipeline.ts';
import { freePort } from '../doubles/free-port.ts';
import { type Certificate, createCertificate } from './certificate.ts';

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

/** The virtual environment that holds MiniStack and the AWS CLI: PAYHOOKS_MINISTACK_VENV, or the default folder. */
export function findMiniStack(environment: NodeJS.ProcessEnv = process.env): string {
  const requirements = readFileSync(join(import.meta.dirname, 'requirements.txt'), 'utf8');
  const [, version] = /^ministack==(\S+)/m.exec(requirements) ?? [];
  const cache = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = environment['PAYHOOKS_MINISTACK_VENV'] || join(cache, 'payhooks', `ministack-${version}`);
  const missing = ['ministack', 'aws'].filter((command) => !existsSync(join(folder, 'bin', command)));
  if (missing.length === 0) return folder;
  throw new Error(
    `npm run test:deploy needs MiniStack ${version} and the AWS CLI; ${folder} has no ${missing.join(' and no ')}. ` +
      `With Python 3.10 or newer, install them by \`python3 -m venv ${folder} && ` +
      `${folder}/bin/pip install -r test/deploy/requirements.txt\`.`,
  );
}

/**
 * Starts MiniStack on loopback with all that real AWS enforces: TLS, signatures, and the policies of identities and
 * resources. It ends with this process at the latest.
 */
export async function startMiniStack(): Promise<MiniStack> {
  const venv = findMiniStack();
  const folder = await mkdtemp(join(tmpdir(), 'payhooks-deploy-'));
  const stops = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) await one();
  };
  try {
    const certificate = await createCertificate(folder);
    const port = await freePort();
    const endpoint = `https://localhost:${port}`;
    const environment = await createEnvironment({ folder, endpoint, certificate });
    const started = run(join(venv, 'bin', 'python3'), serverEnvironment(environment, certificate, port));
    stops.push(() => started.end());
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
    // MiniStack runs the functions with the first Node in PATH, and cdk the app.
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
    // For its functions as well: the heartbeat calls the webhook by its name.
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'loopback-names.mjs')}`,
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

/** MiniStack, with the one thing that it leaves out: API Gateway adds the variables of the stage to an event. */
const program = `
import ministack.services.apigateway as gateway
from ministack.app import main
run = gateway.run_reentrant
def with_stage_variables(call, function, event, **options):
    if options.get("thread_name") == "ministack-apigw-invoke":
        context = event["requestContext"]
        event["stageVariables"] = gateway._get_stage_variables(context["apiId"], context["stage"])
    return run(call, function, event, **options)
gateway.run_reentrant = with_stage_variables
main()
`;

/** Runs a process group, so that the functions end with MiniStack, whatever ends it. */
function run(command: string, env: Record<string, string>): Running {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, ['-c', program], { env, cwd: env['TMPDIR'], detached: true, stdio });
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
    const { status } = await send(`${endpoint}/_ministack/health`).catch(() => ({ status: 0 }));
    if (status === 200) return;
    await pause(200);
  }
  const what = child.exitCode === null ? 'was not ready within 30 seconds' : 'ended before it was ready';
  throw new Error(`MiniStack ${what}:\n${output()}`);
}
