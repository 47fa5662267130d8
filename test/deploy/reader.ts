import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { privateKey } from '../acceptance/pipeline.ts';
import { findMiniStack, type MiniStack, startMiniStack } from './ministack.ts';

// What tests that type the commands of docs/deploy.md have in common.
const repository = join(import.meta.dirname, '..', '..');
const page = await readFile(join(repository, 'docs', 'deploy.md'), 'utf8');

/** The blocks of the page in one language, each with the heading above it. */
export function blocksIn(language: 'sh' | 'json') {
  const pattern = /^#+ (?<heading>[^\n]+)$|^```(?<language>\w*)\n(?<text>.*?)^```$/gms;
  const blocks: { readonly heading: string; readonly commands: string }[] = [];
  let heading = '';
  for (const { groups = {} } of page.matchAll(pattern)) {
    if (groups['heading'] !== undefined) heading = groups['heading'];
    else if (groups['language'] === language) blocks.push({ heading, commands: groups['text'] ?? '' });
  }
  return blocks;
}

/** A reader of the page: an account on MiniStack, what a terminal needs there, and a payment service. */
export interface Reader {
  readonly ministack: MiniStack;
  readonly environment: Readonly<Record<string, string>>;
  /** Of the simulator, in place of https://pay.example. */
  readonly paymentService: string;
  /** A customer pays order-1001; the payment service delivers the event to the registered webhook. */
  pay(): Promise<void>;
  stop(): Promise<void>;
}

export async function openReader(): Promise<Reader> {
  const ministack = await startMiniStack();
  const environment = {
    ...ministack.environment,
    // The AWS CLI is in the virtual environment of MiniStack.
    PATH: [join(findMiniStack(), 'bin'), ministack.environment['PATH']].join(':'),
    CDK_APP: `node ${join(import.meta.dirname, 'adapted-app.ts')} bin/app.ts`,
    CDK_FORCE: 'true',
    CDK_DISABLE_VERSION_CHECK: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    // The AWS CLI would show long answers in a pager.
    AWS_PAGER: '',
  };
  const { url, end } = await startPaymentService(environment);
  return {
    ...{ ministack, environment, paymentService: url },
    async pay() {
      const body = JSON.stringify({ order_id: 'order-1001', amount: '1.00' });
      const answer = await fetch(`${url}/simulator/events`, { method: 'POST', body });
      expect(answer.ok, await answer.text()).toBe(true);
    },
    async stop() {
      await end();
      await ministack.stop();
    },
  };
}

/** The simulator in its own process, which resolves MiniStack's names and trusts its certificate. */
async function startPaymentService(env: Readonly<Record<string, string>>) {
  const script = `
    import { createSimulator } from '@payhooks/payment-service/simulator';
    const account = { name: 'shop', privateKey: '${privateKey}' };
    const { baseUrl } = await createSimulator({ account });
    console.log('ready', baseUrl);
  `;
  const argv = ['--input-type=module', '--eval', script];
  const child = spawn(process.execPath, argv, { cwd: repository, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const [, url] = /^ready (\S+)$/m.exec(said) ?? [];
    if (url !== undefined) return { url, end };
  }
  throw new Error(`The simulator ended before it was ready: ${said}`);
}
