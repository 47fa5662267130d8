import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paidWebhook, runSimulator } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { idleCost } from '../../cli/deploy/idle-cost.ts';
import { AwsError, startAwsQuery } from '../doubles/aws-query.ts';
import { type DeployedState, stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { type Run, runPayhooks, temporaryDirectory } from './payhooks-process.ts';

/** In place of the CDK: it writes down how it was called, and fails at the command that cdk.json names. */
const cdkDouble = `
const { appendFileSync, cpSync, readFileSync } = require('node:fs');
const words = process.argv.slice(2);
appendFileSync('calls', words.join(' ') + ' in ' + process.env.AWS_REGION + '\\n');
if (words[0] === 'synth') cpSync('app', 'cdk.out', { recursive: true });
if (JSON.parse(readFileSync('cdk.json', 'utf8')).fails === words[0]) process.exitCode = 1;
`;

interface App {
  readonly place?: string;
  readonly qualifier?: string;
  /** Of further stacks with payhooks, in a Stage. */
  readonly others?: readonly string[];
  /** The command at which the CDK fails. */
  readonly fails?: string;
}

const agnostic = 'unknown-account/unknown-region';

/** The folder of a CDK app with payhooks in it, and `payhooks deploy` there. */
async function start(app: App = {}, change: Partial<DeployedState> = {}) {
  const { place = agnostic, qualifier = 'hnb659fds', others = [], fails } = app;
  const folder = await temporaryDirectory();
  const write = async (path: string, content: unknown): Promise<void> => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const stackOf = (name: string) => ({
    type: 'aws:cloudformation:stack',
    environment: `aws://${place}`,
    properties: {
      ...{ stackName: name, templateFile: 'ours.json', requiresBootstrapStackVersion: 6 },
      bootstrapStackVersionSsmParameter: `/cdk-bootstrap/${qualifier}/version`,
    },
  });
  const ours = { Outputs: { PayhooksDeployment: {} } };
  await write('cdk.json', { fails });
  await write('node_modules/aws-cdk/package.json', { exports: { './bin/cdk': './bin/cdk' } });
  await write('node_modules/aws-cdk/bin/cdk', cdkDouble);
  await write('app/ours.json', ours);
  await write('app/foreign.json', { Outputs: { BucketName: {} } });
  const foreign = { type: 'aws:cloudformation:stack', properties: { templateFile: 'foreign.json' } };
  const stage = { type: 'cdk:cloud-assembly', properties: { directoryName: 'stage' } };
  await write('app/manifest.json', { artifacts: { Shop: stackOf(stackName), Reports: foreign, stage } });
  await write('app/stage/ours.json', ours);
  const staged = others.map((name) => [name, { ...stackOf(name), displayName: `Prod/${name}` }]);
  await write('app/stage/manifest.json', { artifacts: Object.fromEntries(staged) });
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const stack = await startDeployedStack({ keys: '{"private_keys":[{"key":"pri_live_key"}]}' });
  stack.state.outputs['RequiredEvents'] = 'transaction.paid';
  const bootstrap = {
    name: 'CDKToolkit',
    ...{ parameters: { Qualifier: 'hnb659fds' }, outputs: { BootstrapVersion: '30' } },
  };
  Object.assign(stack.state, { bootstrap, ...change });
  return {
    ...stack,
    deploy: (options = '--yes', run: Run = {}) =>
      runPayhooks(['deploy', ...options.split(' ').filter(Boolean)], { env: stack.env, ...run }),
    calls: async () => (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n'),
    out: join(folder, 'cdk.out'),
  };
}

// The SDK's pause before a further attempt is a random part of a time that grows.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

describe('payhooks deploy', () => {
  it('finds everything done in a stack that is ready, and has the CDK deploy the app', async () => {
    const { deploy, calls, out } = await start();
    const { code, stdout, stderr } = await deploy('--yes -c environmentName=shop');
    expect([code, stderr]).toEqual([0, '']);
    expect(await calls()).toEqual([
      `synth --quiet --output ${out} -c environmentName=shop in us-east-1`,
      'deploy Shop --app cdk.out --require-approval never in us-east-1',
    ]);
    expect(stdout).toContain('✓ credentials            account 000000000000, as arn:aws:iam::');
    expect(stdout).toContain('✓ cdk bootstrap          version 30 for 000000000000 in us-east-1');
    expect(stdout).toContain('✓ live key               already done: the key secret holds ');
    expect(stdout).toMatch(/^\? webhook .*\n {4}→ register http\S+ in its dashboard, live, for /m);
    expect(stdout).toMatch(/^✓ heartbeat .*\n\nAll quiet: /m);
    expect(stdout).not.toMatch(/pri_|export AWS_REGION/);
  });

  it('prints one JSON document with --json', async () => {
    const { deploy } = await start({}, { heartbeat: { status: 403, order_id: null, error: null } });
    const { code, stdout } = await deploy('--yes --json');
    const { checks, ...place } = JSON.parse(stdout);
    expect([code, place]).toEqual([1, { stack: stackName, region: 'us-east-1', account: '000000000000' }]);
    expect(checks.map(({ name, status }: Record<string, string>) => `${name} ${status}`)).toEqual([
      ...['credentials passed', 'region passed', 'cdk bootstrap passed', 'Lambda quota passed'],
      ...['alarm topic passed', 'live key passed', 'webhook unknown', 'heartbeat failed'],
    ]);
  });

  it('deploys to the region of the app, and prints how the shell comes to use it', async () => {
    const { deploy, calls } = await start({ place: '000000000000/eu-central-1' });
    const { stdout } = await deploy();
    expect((await calls()).at(-1)).toMatch(/ in eu-central-1$/);
    expect(stdout).toContain('In this shell, other commands need: export AWS_REGION=eu-central-1\n');
  });

  it('runs the cdk bootstrap that the app needs, after it has asked', async () => {
    const { deploy, calls } = await start({ qualifier: 'payments' });
    const refused = await deploy('', { typed: ['n'] });
    const command = 'bootstrap aws://000000000000/us-east-1 --qualifier payments';
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`Run npx cdk ${command} `)]);
    expect((await calls()).length).toBe(1);
    await deploy();
    expect((await calls()).slice(-2)[0]).toBe(
      `${command} --toolkit-stack-name CDKToolkit-payments --app cdk.out in us-east-1`,
    );
  });

  it('warns about a low quota, and names the command that raises it', async () => {
    const { deploy } = await start({}, { concurrency: 10 });
    const { code, stdout } = await deploy();
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/\? Lambda quota .*\n.*--quota-code L-B99A9384/),
    ]);
  });

  it('waits for a deployment that an interrupted run left to CloudFormation', async () => {
    const { deploy, state } = await start();
    let looks = 0;
    const get = () => (looks++ < 3 ? 'CREATE_IN_PROGRESS' : 'CREATE_COMPLETE');
    Object.defineProperty(state, 'status', { get, enumerable: true });
    expect((await deploy()).code).toBe(0);
    expect(looks).toBeGreaterThan(3);
  });

  it('removes the protection of a stack whose first deployment failed, after it has asked', async () => {
    const { deploy, state, calls } = await start({}, { status: 'ROLLBACK_COMPLETE' });
    const { code, stderr } = await deploy('', { typed: ['n'] });
    expect([code, stderr]).toEqual([2, expect.stringContaining('failed (ROLLBACK_COMPLETE)')]);
    expect(state.isProtected).toBe(true);
    await deploy();
    expect([state.isProtected, (await calls()).at(-1)]).toEqual([false, expect.stringMatching(/^deploy /)]);
  });
});

describe('payhooks deploy ends before it changes anything', () => {
  it('without a terminal and without --yes', async () => {
    const { deploy, calls } = await start();
    const { code, stderr } = await deploy('');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Run the command again with --yes')]);
    await expect(calls()).rejects.toThrow('ENOENT');
  });

  it.each([
    [
      'credentials of another account',
      { place: '111122223333/us-east-1' },
      1,
      'belongs in account 111122223333',
    ],
    ['several stacks', { others: ['shop-2'] }, 2, `Choose one with --stack: ${stackName}, shop-2.`],
    ['a synthesis that failed', { fails: 'synth' }, 1, 'cdk synth ended with 1; its reason is above.'],
  ])('with %s', async (_, app, exitCode, message) => {
    const { deploy, calls } = await start(app);
    const { code, stderr } = await deploy();
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
    expect((await calls()).length).toBe(1);
  });

  it('with a stack that the app does not have', async () => {
    const { deploy } = await start({ others: ['shop-2'] });
    const { code, stderr } = await deploy('--yes --stack payhooks-development');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`it has ${stackName}, shop-2.`)]);
  });

  it('with credentials that AWS refuses', async () => {
    const { deploy } = await start();
    const GetCallerIdentity = () => {
      throw new AwsError('InvalidClientTokenId', 'The token is invalid.');
    };
    vi.stubEnv('AWS_ENDPOINT_URL_STS', await startAwsQuery({ GetCallerIdentity }));
    const { code, stderr } = await deploy();
    const message = 'error: AWS refused the credentials (InvalidClientTokenId: The token is invalid.).\n';
    expect([code, stderr]).toEqual([3, message]);
  });

  it('in a folder without a CDK app, or without the CDK', async () => {
    const { deploy } = await start();
    const folder = await temporaryDirectory();
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    expect((await deploy()).stderr).toContain(`${folder} has no cdk.json.`);
    await writeFile(join(folder, 'cdk.json'), '{}');
    expect((await deploy()).stderr).toContain(`${folder} has no CDK command.`);
  });
});

it('payhooks deploy takes the stack of PAYHOOKS_STACK, or the id in CDK of one whose name two have', async () => {
  const named = await start({ others: ['shop-2'] });
  await named.deploy('--yes', { env: { ...named.env, PAYHOOKS_STACK: 'shop-2' } });
  expect((await named.calls()).at(-1)).toMatch(/^deploy Prod\/shop-2 /);
  const { deploy, calls } = await start({ others: [stackName] });
  expect((await deploy()).stderr).toContain(`Choose one with --stack: Shop, Prod/${stackName}.`);
  await deploy('--yes --stack Shop');
  expect((await calls()).at(-1)).toMatch(/^deploy Shop /);
});

describe('payhooks deploy registers the webhook', () => {
  /** With a payment service, and how many webhooks were registered there. */
  async function startWith(key = 'pri_live') {
    const stack = await start({}, { keys: '{"private_keys":[{"key":"pri_live"}]}' });
    const seen: string[] = [];
    const onRequest = ({ method }: { readonly method: string }) => seen.push(method);
    const simulator = await runSimulator({ onRequest });
    const env = { ...stack.env, PAYHOOKS_SERVICE_URL: simulator.baseUrl, PAYHOOKS_PRIVATE_KEY: key };
    stack.state.outputs['WebhookUrl'] = 'https://hooks.shop.invalid/webhooks/payments';
    const registered = () => seen.filter((method) => method === 'POST').length;
    return { ...stack, simulator, registered, deploy: () => stack.deploy('--yes', { env }) };
  }

  it('once, however often it runs', async () => {
    const { deploy, registered } = await startWith();
    expect([(await deploy()).code, (await deploy()).code, registered()]).toEqual([0, 0, 1]);
  });

  it('not with a key that the stack does not have: its webhooks would be refused', async () => {
    const { deploy, registered } = await startWith('pri_other');
    const { code, stderr } = await deploy();
    const message = 'The given key is not that of payhooks-shop.';
    expect([code, stderr, registered()]).toEqual([2, expect.stringContaining(message), 0]);
  });

  it('not at a domain that the DNS does not know', async () => {
    const { deploy, registered, state } = await startWith();
    state.outputs['WebhookDomainTarget'] = 'd-1.execute-api.us-east-1.amazonaws.com';
    const { code, stdout } = await deploy();
    expect([code, stdout, registered()]).toEqual([1, expect.stringContaining('point it at d-1.'), 0]);
  });

  it('or exits with 1, if it is registered for other events', async () => {
    const { deploy, simulator, state } = await startWith();
    simulator.registerWebhook(paidWebhook(`${state.outputs['WebhookUrl']}`));
    state.outputs['RequiredEvents'] = 'transaction.paid,transaction.refunded';
    expect((await deploy()).code).toBe(1);
  });
});

it('payhooks deploy shows the costs of docs/cost.md', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/cost.md'), 'utf8');
  const [, idle] = /^\| \*\*total\*\* .*\*\*(\S+)\*\*/m.exec(page) ?? [];
  const [, million] = /^\| \*\*with the order feed\*\* \| \*\*(\S+)\*\*/m.exec(page) ?? [];
  expect(idleCost).toContain(`${idle} a month`);
  expect(idleCost).toContain(`${million} for each million`);
});
