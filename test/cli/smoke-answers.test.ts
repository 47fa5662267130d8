import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { closeServer, listen } from '@payhooks/cdk-local';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bodyQuestions } from '../../cli/smoke/answers/body-questions.ts';
import { exchange } from '../../cli/smoke/answers/wire.ts';
import type { Deployment } from '../../cli/smoke/deployment.ts';
import { parsePaymentEvent } from '../../lambdas/domain/payment-event.ts';
import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { runPayhooks, temporaryDirectory } from './payhooks-process.ts';

afterEach(() => vi.unstubAllEnvs());

vi.mock('../../cli/limits.ts', async (original) =>
  (await import('./short-limits.ts')).withShortLimits(original, {
    refusalMilliseconds: 20,
    continueMilliseconds: 200,
  }),
);

const keys = '{"private_keys":[{"key":"pri_live_key"},{"key":"pri_sandbox_key"}]}';

interface Written {
  readonly id: string;
  readonly verdict: string;
  readonly see: string;
  readonly answer: Readonly<Record<string, unknown>>;
}

async function start() {
  const stack = await startDeployedStack({ keys });
  const file = join(await temporaryDirectory(), 'answers.json');
  const ask = (...options: readonly string[]) =>
    runPayhooks(['smoke', '--stack', stackName, '--answers', file, ...options]);
  const written = async () => {
    const text = await readFile(file, 'utf8');
    const report = JSON.parse(text);
    const of = (id: string) => report.answers.find((one: Written) => one.id === id) as Written;
    return { text, report, of };
  };
  return { ...stack, file, ask, written };
}

describe('payhooks smoke --answers', () => {
  it('writes what was asked, expected and answered, and nothing that is secret', async () => {
    const { ask, written, file } = await start();
    const { code, stdout } = await ask('--yes');
    expect(stdout).toContain(`✓ answers                26 of 26 questions are answered, in ${file}`);
    const { text, report, of } = await written();
    expect(report).toMatchObject({
      stack: stackName,
      region: 'us-east-1',
      webhook_url: expect.stringContaining('/webhooks/payments'),
      asked: { questions: 26, as_expected: 26, differs: 0, unanswered: 0 },
    });
    expect(of('byte-order-mark')).toEqual({
      id: 'byte-order-mark',
      question: 'a byte order mark before the JSON',
      expected_status: 202,
      see: 'docs/assumptions.md#what-only-aws-can-answer',
      verdict: 'as_expected',
      answer: {
        answered: true,
        status: 202,
        from: 'payhooks',
        body: '{"status":"accepted"}',
        stored: { outcome: 'applied', byte_exact: true },
      },
    });
    expect(of('too-large').answer).toMatchObject({ status: 413, from: 'payhooks', stored: null });
    expect(text).not.toMatch(/pri_|[0-9a-f]{64}/);
    expect(code).toBe(0);
  });

  it('says which alarms will ring, and asks nothing before it is confirmed', async () => {
    const { ask, file, pipeline } = await start();
    await writeFile(file, 'former');
    const { code, stderr } = await ask();
    for (const alarm of ['BodiesTooLarge', 'EventsUnrecognised', 'WebhookServerErrors']) {
      expect(stderr).toContain(alarm);
    }
    expect([code, await readFile(file, 'utf8'), pipeline.telemetry.lines]).toEqual([2, 'former', []]);
  });

  it('refuses a file that cannot be written before it asks anything', async () => {
    const { pipeline } = await start();
    const argv = ['smoke', '--stack', stackName, '--answers', '/nowhere/answers.json', '--yes'];
    const { code, stderr } = await runPayhooks(argv);
    expect([code, stderr.includes('cannot be written: ENOENT')]).toEqual([2, true]);
    expect(pipeline.telemetry.lines).toEqual([]);
  });

  it('tells what differs, with the place where it is written down', async () => {
    const { ask, written, pipeline } = await start();
    pipeline.faults.gatewayBytesMax = 1024 * 1024;
    const { code, stdout } = await ask('--yes');
    expect(stdout).toMatch(/✗ 6-megabytes .*500 from the gateway; expected 413/);
    expect(stdout).toContain('→ docs/assumptions.md#a10-how-large-a-notification-can-be');
    const { report, of, text } = await written();
    expect(text).not.toMatch(/[0-9a-f]{64}/);
    expect(report.asked).toEqual({ questions: 26, as_expected: 23, differs: 3, unanswered: 0 });
    expect(of('6-megabytes').answer).toMatchObject({ status: 500, from: 'the gateway' });
    expect(code).toBe(1);
  });

  it('does not count a question as answered that was not', async () => {
    const { ask, written, pipeline } = await start();
    pipeline.faults.webhook = { status: 500, body: 'broken' };
    const { stdout } = await ask('--yes');
    expect(stdout).toMatch(/\? answers +0 of 26 questions are answered/);
    const { report, of } = await written();
    expect(report.asked.unanswered).toBe(26);
    expect(of('gzip').answer).toEqual({ answered: false, why: 'no signed event was accepted' });
  });
});

describe('the questions', () => {
  const deployment = { runId: 'run' } as Deployment;
  const all = bodyQuestions(deployment);
  const body = (id: string): Uint8Array =>
    all.find((question) => question.id === id)?.body ?? Buffer.from('');

  it('are asked with sandbox events wherever the question allows it', () => {
    const events = all.filter(({ eventId }) => eventId !== undefined);
    const parsed = events.map((question) => parsePaymentEvent(question.body));
    expect(parsed.map((one) => one.ok && one.event.sandbox)).toEqual(events.map(() => true));
    expect(all.filter(({ eventId }) => eventId === undefined).map(({ id }) => id)).toEqual([
      'not-utf8-as-json',
      'not-utf8-as-bytes',
      'gzip',
    ]);
  });

  it('have the sizes that they speak of', () => {
    expect(body('largest')).toHaveLength(262_144);
    expect(body('too-large')).toHaveLength(262_145);
    expect(body('6-megabytes')).toHaveLength(6_291_456);
    expect(body('9-megabytes')).toHaveLength(9_437_184);
    expect(body('above-10-megabytes')).toHaveLength(10_485_761);
  });

  it('hold the bytes that they speak of', () => {
    const isUtf8 = (bytes: Uint8Array): boolean => Buffer.from(Buffer.from(bytes).toString()).equals(bytes);
    expect([isUtf8(body('not-utf8-as-json')), isUtf8(body('odd-characters'))]).toEqual([false, true]);
    expect(parsePaymentEvent(body('not-utf8-as-json'))).toEqual({ ok: false, reason: 'not_utf8' });
    expect([...body('byte-order-mark').subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(parsePaymentEvent(gunzipSync(body('gzip'))).ok).toBe(true);
    expect(Buffer.from(body('odd-characters')).toString()).toMatch(/\\u0000\uffff\u{1f9fe}/u);
  });
});

describe('a request on the wire', () => {
  async function serve(status: number) {
    const seen: { rawHeaders?: readonly string[]; url?: string; bytes: number; continues: number } = {
      bytes: 0,
      continues: 0,
    };
    const server = createServer((request, response) => {
      seen.rawHeaders = request.rawHeaders;
      seen.url = request.url ?? '';
      request.on('data', (chunk: Buffer) => {
        seen.bytes += chunk.length;
      });
      request.on('end', () => response.writeHead(status).end('{"message":"seen"}'));
    });
    server.on('checkContinue', (request, response) => {
      seen.continues += 1;
      response.writeContinue();
      server.emit('request', request, response);
    });
    const url = await listen(server, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => closeServer(server));
    return { url: new URL(url), seen };
  }

  it('bears the headers in the case, and as often, as they were given, and the path as it was written', async () => {
    const { url, seen } = await serve(403);
    const headers = [
      ['X-SiG', 'a'],
      ['X-SiG', 'b'],
    ] as const;
    const answer = await exchange({
      url,
      path: '/orders/%2E%2E?q',
      method: 'POST',
      headers,
      body: Buffer.from('12'),
    });
    expect(answer).toMatchObject({ answered: true, status: 403, body: '{"message":"seen"}' });
    expect(seen.rawHeaders?.slice(2, 6)).toEqual(['X-SiG', 'a', 'X-SiG', 'b']);
    expect([seen.url, seen.bytes]).toEqual(['/orders/%2E%2E?q', 2]);
  });

  it('comes in chunks without a length', async () => {
    const { url, seen } = await serve(202);
    await exchange({
      url,
      path: '/',
      method: 'POST',
      headers: [],
      body: Buffer.alloc(1_000),
      chunkBytes: 100,
    });
    expect(seen.rawHeaders).toContain('chunked');
    expect([seen.rawHeaders?.includes('Content-Length'), seen.bytes]).toEqual([false, 1_000]);
  });

  it('waits with its body until it is asked for it', async () => {
    const { url, seen } = await serve(202);
    const headers = [['Expect', '100-continue']] as const;
    await exchange({
      url,
      path: '/',
      method: 'POST',
      headers,
      body: Buffer.alloc(10),
      waitsForContinue: true,
    });
    expect([seen.continues, seen.bytes]).toEqual([1, 10]);
  });

  it('without an answer is told by its reason', async () => {
    const url = new URL('http://127.0.0.1:1');
    expect(await exchange({ url, path: '/', method: 'GET', headers: [] })).toEqual({
      answered: false,
      why: 'ECONNREFUSED',
    });
  });
});
