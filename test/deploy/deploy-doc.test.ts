import { execFile, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { privateKey, sandboxKey } from '../acceptance/pipeline.ts';
import { callScheduledSqs } from './aws-calls.ts';
import { findMiniStack, type MiniStack, startMiniStack } from './ministack.ts';
import { openTerminalSession, type Ran, type Reply, type TerminalSession } from './terminal-session.ts';

// Types every command of docs/deploy.md into a terminal, from top to bottom.
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
    PATH: [join(findMiniStack(), 'bin'), ministack.environment['PATH']].join(':'),
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

/** Sections that are not typed here: `npm ci` and `npm test` are what .ci/run itself begins with. */
const omitted = ['1. What you need'];

const replies: readonly Reply[] = [
  { prompt: /\(it is not shown\): $/, typed: privateKey },
  // MiniStack reads a secret without a value as an empty text, so the command asks before it replaces it.
  { prompt: /Replace the whole key secret\?.*\[y\/N\] $/, typed: 'y' },
  { prompt: /\(it is not shown\): $/, typed: sandboxKey },
  { prompt: /Do you wish to deploy these changes.*$/, typed: 'y' },
];

/** What is on the screen after each section; a reader would stop where it is not. */
const seen: Readonly<Record<string, RegExp>> = {
  'In one command': /✓ cdk bootstrap .*✅ {2}payhooks-production.*✓ live key .*✓ webhook .*\$4\.51 a month/s,
  '3. Prepare the account': /bootstrapped.*\n\d+\n$/s,
  '4. Deploy': /✅ {2}payhooks-production.*\nhttps:\S+\/webhooks\/payments\n.*✅ {2}payhooks-production/s,
  '5. Keys': /\blive\b.*\bcurrent\b.*\bsandbox\b.*\bcurrent\b/s,
  '6. Prove it': /✓ heartbeat .*\b0 failed\b/s,
  '8. Register the webhook': /transaction\.paid,transaction\.refunded/,
  '9. The first live order': /^order-1001 is paid\b.*\bapplied\b/ms,
  '10. Who reads the orders': /order-reader/,
  '11. From GitHub, without access keys': /DeployRoleArn = arn:aws:iam::.*\bDiffRoleArn = arn:aws:iam::/s,
  'Several environments in one account': /bootstrapped/,
  'Least permissions for CloudFormation': /bootstrapped/,
  'Changing a setting, and upgrading': /✓ heartbeat .*\b0 failed\b/s,
  'Tearing it down': /\/webhooks\/payments .*payhooks-production: destroyed/s,
};

/** The payment service is the simulator here. */
const substituted = (text: string): string => text.replaceAll('https://pay.example', paymentService);

/** What a reader does away from the terminal, before the commands of a section. */
const deeds: Readonly<Record<string, () => Promise<void>>> = {
  async 'In one command'() {
    await writeSettings();
    const stopped = await terminal.run('npx payhooks deploy', [
      { prompt: /^Run npx cdk bootstrap .* now\? \[y\/N\] $/m, typed: 'y' },
      { prompt: /Do you wish to deploy these changes.*$/, typed: 'y' },
      { prompt: /CREATE_IN_PROGRESS +\| AWS::SQS::Queue/, typed: '\u0003' },
    ]);
    expect(stopped.screen).toMatch(/Stopped at cdk deploy.*Run the same command again/s);
    expect(stopped.code).toBe(130);
  },
  async '6. Prove it'() {
    // In the region of the page.
    await callScheduledSqs({ ...ministack, region: 'eu-west-1' });
    // MiniStack drops the expiry of a table.
    await terminal.run('npx payhooks repair --stack payhooks-production --yes');
  },
  '9. The first live order': pay,
};

it('covers every section of docs/deploy.md that has commands', () => {
  const headings = new Set(blocks.map(({ heading }) => heading));
  expect(new Set([...omitted, ...Object.keys(seen)])).toEqual(headings);
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
  if (heading !== 'In one command') continue;
  it('payhooks deploy, repeated, asks nothing and finds everything done', async () => {
    const { code, screen } = await terminal.run('CDK_FORCE=false npx payhooks deploy');
    expect(screen).toMatch(/✅ {2}payhooks-production \(no changes\).*✓ live key +already done: /s);
    expect(screen).toMatch(/\/webhooks\/payments is already registered, live, .*✓ webhook /s);
    expect(code).toBe(0);
  });
}

/** The blocks of a Markdown document in one language, each with the heading above it. */
function blocksOf(markdown: string, language: 'sh' | 'json') {
  const pattern = /^#+ (?<heading>[^\n]+)$|^```(?<language>\w*)\n(?<text>.*?)^```$/gms;
  const blocks: { readonly heading: string; readonly commands: string }[] = [];
  let heading = '';
  for (const { groups = {} } of markdown.matchAll(pattern)) {
    if (groups['heading'] !== undefined) heading = groups['heading'];
    else if (groups['language'] === language) blocks.push({ heading, commands: groups['text'] ?? '' });
  }
  return blocks;
}

/** The files of the repository, with its installed packages. */
async function cloneRepository(folder: string): Promise<string> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: repository });
  for (const file of stdout.split('\n').filter((name) => name !== '')) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(repository, file), join(folder, file));
  }
  for (const packages of globSync(['node_modules', '{packages,tools}/*/node_modules'], { cwd: repository })) {
    await symlink(join(repository, packages), join(folder, packages));
  }
  return folder;
}

/** Writes the JSON of the page into `cdk.json`, with the address of the simulator. */
async function writeSettings(): Promise<void> {
  const [settings] = blocksOf(page, 'json');
  const file = join(ministack.folder, 'payhooks', 'cdk.json');
  const cdk = JSON.parse(await readFile(file, 'utf8')) as {
    context: { environments: Record<string, unknown> };
  };
  Object.assign(cdk.context.environments, JSON.parse(substituted(settings?.commands ?? '')));
  await writeFile(file, JSON.stringify(cdk));
}

/** The simulator in its own process, which resolves MiniStack's names and trusts its certificate. */
async function startPaymentService(env: Readonly<Record<string, string>>): Promise<string> {
  const script = `
    import { createSimulator } from '@payhooks/payment-service/simulator';
    const account = { name: 'shop', privateKey: '${privateKey}' };
    const { baseUrl } = await createSimulator({ account });
    console.log('ready', baseUrl);
  `;
  const argv = ['--input-type=module', '--eval', script];
  const child = spawn(process.execPath, argv, { cwd: repository, env, stdio: ['ignore', 'pipe', 'ignore'] });
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

/** A customer pays; the payment service delivers the event to the registered webhook. */
async function pay(): Promise<void> {
  const body = JSON.stringify({ order_id: 'order-1001', amount: '1.00' });
  const answer = await fetch(`${paymentService}/simulator/events`, { method: 'POST', body });
  expect(answer.ok, await answer.text()).toBe(true);
}
