import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { privateKey, sandboxKey } from '../acceptance/target.ts';
import { blocksOf } from './documented-commands.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { findMiniStack } from './ministack-environment.ts';
import { openTerminalSession, type Ran, type Reply, type TerminalSession } from './terminal-session.ts';

// docs/deploy.md, followed from top to bottom by somebody who types what it says and nothing else.
const repository = join(import.meta.dirname, '..', '..');
const page = await readFile(join(repository, 'docs', 'deploy.md'), 'utf8');
const blocks = blocksOf(page, 'sh');

let ministack: MiniStack;
let terminal: TerminalSession;
let paymentService: string;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  ministack = await startMiniStack();
  stops.push(() => ministack.stop());
  const environment = {
    ...ministack.environment,
    // The AWS CLI is in the virtual environment of MiniStack.
    PATH: [join(await findMiniStack(), 'bin'), ministack.environment['PATH']].join(':'),
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'loopback-names.mjs')}`,
    // What MiniStack needs of the CDK CLI; docs/deploy-test.md has the reasons.
    CDK_APP: 'node test/deploy/adapted-app.ts',
    CDK_FORCE: 'true',
    CDK_DISABLE_VERSION_CHECK: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    // The AWS CLI would show long answers in a pager.
    AWS_PAGER: '',
  };
  paymentService = await startPaymentService(environment);
  const clone = await cloneRepository(join(ministack.folder, 'payhooks'));
  terminal = openTerminalSession({ folder: clone, environment });
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

/** What cannot be done here, and where it is done. */
const done: Readonly<Record<string, string>> = {
  '1. What you need': 'a fresh clone, `npm ci` and `npm test` are what .ci/run itself began with',
};

const replies: readonly Reply[] = [
  { asked: /\(it is not shown\): $/, typed: privateKey },
  // MiniStack reads a secret without a value as an empty text, which asks before it is replaced.
  { asked: /Replace the whole key secret\?.*\[y\/N\] $/, typed: 'y' },
  { asked: /\(it is not shown\): $/, typed: sandboxKey },
  { asked: /Do you wish to deploy these changes.*$/, typed: 'y' },
];

/** What the page says that is seen; a person stops where it is not. */
const seen: Readonly<Record<string, RegExp>> = {
  '3. Prepare the account': /bootstrapped.*\n\d+\n$/s,
  '4. Deploy': /✅ {2}payhooks-production.*\nhttps:\S+\/webhooks\/payments\n.*✅ {2}payhooks-production/s,
  '5. Keys': /live {5}further notice {2}current.*sandbox {2}further notice {2}current/s,
  '6. Prove it': /, 0 failed, 0 skipped, 0 unknown$/m,
  '8. Register the webhook': /transaction\.paid,transaction\.refunded/,
  '9. The first live order': /^order-1001 is paid\n.*applied\n$/ms,
  '10. Who reads the orders': /order-reader/,
  '11. From GitHub, without access keys': /RoleArn = arn:aws:iam::/,
  'Changing a setting, and upgrading': /✅ {2}payhooks-production.*, 0 failed, 0 skipped, 0 unknown/s,
  'Tearing it down': /\/webhooks\/payments .*payhooks-production: destroyed/s,
};

interface Substitution {
  readonly documented: string;
  readonly here: () => string;
  readonly why: string;
}

/** What is typed otherwise here than on AWS. */
const substitutions: readonly Substitution[] = [
  {
    documented: 'https://pay.example',
    here: () => paymentService,
    why: 'it stands for the payment service, which is the simulator here',
  },
  {
    documented: '-c githubRepository=your-shop/payhooks',
    here: () =>
      '-c githubRepository=your-shop/payhooks -c githubOidcProviderArn=' +
      `arn:aws:iam::${ministack.account}:oidc-provider/token.actions.githubusercontent.com`,
    why: 'MiniStack does not know AWS::IAM::OIDCProvider; test/infra/github-deploy-role.test.ts shows it',
  },
];

const substituted = (text: string): string =>
  substitutions.reduce((result, { documented, here }) => result.replaceAll(documented, here), text);

/** What a person does away from the terminal, before the commands of a section. */
const deeds: Readonly<Record<string, () => Promise<void>>> = {
  '3. Prepare the account': writeSettings,
  '9. The first live order': pay,
};

it('is followed but for what is printed here', () => {
  for (const [heading, why] of Object.entries(done)) process.stdout.write(`Not run: ${heading}: ${why}.\n`);
  for (const { documented, why } of substitutions) {
    process.stdout.write(`Typed otherwise: ${documented}: ${why}.\n`);
  }
  expect(substitutions.filter(({ documented }) => !page.includes(documented))).toEqual([]);
});

it('shows for every section of docs/deploy.md with commands what a person sees', () => {
  const headings = new Set(blocks.map(({ heading }) => heading));
  expect(new Set([...Object.keys(done), ...Object.keys(seen)])).toEqual(headings);
});

let stoppedAt: string | undefined;

for (const heading of Object.keys(seen)) {
  it(`works as documented: ${heading}`, async () => {
    expect(stoppedAt, 'a section before this one did not work').toBe(undefined);
    stoppedAt = heading;
    await deeds[heading]?.();
    let screen = '';
    for (const { commands } of blocks.filter((block) => block.heading === heading)) {
      const ran: Ran = await terminal.run(substituted(commands), replies);
      screen += ran.screen;
      expect(ran, `${commands}\n${ran.screen}`).toMatchObject({ code: 0 });
    }
    expect(screen).toMatch(seen[heading] ?? /^$/);
    expect(screen).not.toContain(privateKey);
    stoppedAt = undefined;
  });
}

/** The files of the repository, with what `npm ci` made of it. */
async function cloneRepository(folder: string): Promise<string> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: repository });
  for (const file of stdout.split('\n').filter((name) => name !== '')) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(repository, file), join(folder, file));
  }
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The JSON of the page into `cdk.json`, with the payment service that there is here. */
async function writeSettings(): Promise<void> {
  const [settings] = blocksOf(page, 'json');
  const file = join(ministack.folder, 'payhooks', 'cdk.json');
  const cdk = JSON.parse(await readFile(file, 'utf8')) as {
    context: { environments: Record<string, unknown> };
  };
  Object.assign(cdk.context.environments, JSON.parse(substituted(settings?.commands ?? '')));
  await writeFile(file, JSON.stringify(cdk));
}

/** The simulator in a process of its own: it finds MiniStack's names, and trusts its certificate. */
async function startPaymentService(env: Readonly<Record<string, string>>): Promise<string> {
  const program = join(repository, 'local', 'payment-service', 'simulate.ts');
  const argv = [program, '--port', '0', '--private-key', privateKey];
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  stops.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const [, url] = /^ready (\S+)$/m.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`The simulator ended before it was ready: ${said}`);
}

/** Somebody pays; the payment service delivers the event to what is registered. */
async function pay(): Promise<void> {
  const body = JSON.stringify({ order_id: 'order-1001', amount: '1.00' });
  const answer = await fetch(`${paymentService}/simulator/events`, { method: 'POST', body });
  expect(answer.ok, await answer.text()).toBe(true);
}
