import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Order } from '../../client/index.ts';
import { liveOnly, startSmoke } from './smoke-run.ts';

afterEach(() => vi.unstubAllEnvs());

vi.mock('../../cli/limits.ts', async (original) =>
  (await import('./short-limits.ts')).withShortLimits(original, { followMilliseconds: 1_500 }),
);

const attended = (body: Order) => ({ ...body, attention: ['conflicting_event'] });
const withOneMore = (body: Order) => ({ ...body, events: [...body.events, { id: 'another' }] });

describe('the pipeline', () => {
  it('fails when a forgery is accepted', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.acceptsForgeries = true;
    const { code, lineOf } = await smoke();
    for (const name of ['without a signature', 'foreign signature', 'upper-case signature']) {
      expect(lineOf(name)).toMatch(/^✗ .*was answered 202: anybody can forge a payment/);
    }
    expect(code).toBe(1);
  });

  it('fails when refusals can be told apart', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.tellsWhy = true;
    expect((await smoke()).lineOf('foreign signature')).toMatch(/^✗ .*refused in other words/);
  });

  it('fails when the order query asks nobody for a signature', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.isOpen = true;
    expect((await smoke()).lineOf('unsigned query')).toMatch(/^✗ .*answered 200, expected 403/);
  });

  it('fails when other bytes are kept', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.answer = (body) => ({ ...body, body_base64: 'e30=' });
    expect((await smoke()).lineOf('bytes are kept')).toMatch(/^✗ .*gives back other bytes/);
  });

  it('fails when a repetition changes the order', async () => {
    const { smoke, pipeline } = await startSmoke();
    // The first answer of all says that the order is paid, the third is the one before the repetition.
    pipeline.faults.answer = (body, count) => ({ ...body, sequence: count <= 3 ? 1 : 2 });
    expect((await smoke()).lineOf('repeated delivery')).toMatch(/^✗ .*from sequence 1 to 2/);
  });

  it('fails when sandbox orders show as live', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.mixesModes = true;
    expect((await smoke()).lineOf('live orders apart')).toMatch(/^✗ .*live mode tells the sandbox order too/);
  });

  it.each([
    ['order is paid', 'a wrong status', (body: Order) => ({ ...body, status: 'failed' }), 'is failed after'],
    ['order is paid', 'a wrong sequence', (body: Order) => ({ ...body, sequence: 2 }), 'sequence 2'],
    ['order is paid', 'attention', attended, 'attention [conflicting_event]'],
    ['order is paid', 'another event', withOneMore, 'after 2 events'],
    ['refund', 'a wrong status', (body: Order) => ({ ...body, status: 'paid' }), 'is paid after 2 events'],
    ['refund', 'a wrong sequence', (body: Order) => ({ ...body, sequence: 3 }), 'sequence 3'],
    ['refund', 'attention', attended, 'attention [conflicting_event]'],
    ['refund', 'another event', withOneMore, 'after 3 events'],
  ] as const)('fails when the order behind "%s" has %s', async (name, _, change, said) => {
    const { smoke, pipeline } = await startSmoke();
    const events = name === 'refund' ? 2 : 1;
    pipeline.faults.answer = (body) => {
      const order = body as unknown as Order;
      return order.events?.length === events ? { ...change(order) } : body;
    };
    const { code, lineOf } = await smoke();
    expect(lineOf(name)?.slice(0, 1)).toBe('✗');
    expect(lineOf(name)).toContain(said);
    expect(lineOf(name)).toContain(name === 'refund' ? 'expected refunded after 2' : 'expected paid after 1');
    expect(code).toBe(1);
  });

  it('fails when a repetition changes nothing but the moment of the last change', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.answer = (body, count) =>
      count <= 3 ? body : { ...body, updated_at: '2026-11-21T10:00:00.000Z' };
    expect((await smoke()).lineOf('repeated delivery')).toMatch(/^✗ .*from sequence 1 to 1/);
  });

  it('is not said to keep the modes apart where no order came to be', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.webhook = { status: 202, body: '{"status":"accepted"}' };
    const { code, lineOf } = await smoke();
    expect(lineOf('order is paid')).toMatch(/^✗ .*the order did not show it within/);
    expect(lineOf('live orders apart')).toMatch(/^– .*there is no sandbox order/);
    expect(code).toBe(1);
  });

  it('fails when forgeries are answered 503, and says where that is explained', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.webhook = { status: 503, body: '{"message":"Service unavailable"}' };
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('foreign signature')).toMatch(/^✗ .*is not ours was answered 503/);
    expect(stdout.split('\n')).toContain('    → docs/runbook.md#keysunavailable');
    expect(code).toBe(1);
  });
});

/** What is answered to the posts of a run that is refused nothing but its forgeries. */
const wellAnswered = [202, 403, 403, 403, 202, 202];

describe('a verifier that does not know the key yet', () => {
  const temporary = ['--temporary-sandbox-key', '--yes'];

  it('is waited for once, so that no run rings SignatureMismatches', async () => {
    const { smoke, pipeline } = await startSmoke(liveOnly);
    pipeline.faults.forgetful = 1;
    expect((await smoke(...temporary)).code).toBe(0);
    expect(pipeline.posted).toEqual([403, ...wellAnswered]);
  });

  it('is asked twice and no more when it refuses the key for good', async () => {
    const { smoke, pipeline } = await startSmoke(liveOnly);
    pipeline.faults.forgetful = 2;
    const { code, lineOf } = await smoke(...temporary);
    expect(lineOf('signed payment')).toMatch(
      /^✗ .*answered 403, refused: the verifier does not accept the key/,
    );
    // Then without a signature, and a foreign one.
    expect([code, pipeline.posted]).toEqual([1, [403, 403, 403, 403]]);
  });

  it.each([
    ['repeated delivery', 5],
    ['refund', 6],
  ])('is waited for as well when the one that is met at "%s" is another copy', async (name, post) => {
    const { smoke, pipeline } = await startSmoke(liveOnly);
    pipeline.faults.refusedPosts = [post];
    const { code, lineOf } = await smoke(...temporary);
    expect([lineOf(name)?.slice(0, 1), code]).toEqual(['✓', 0]);
    expect(pipeline.posted).toEqual(wellAnswered.toSpliced(post - 1, 0, 403));
  });

  it('is not waited for a second time, since all copies know the key by then', async () => {
    const { smoke, pipeline } = await startSmoke(liveOnly);
    pipeline.faults.refusedPosts = [1, 7];
    const { code, lineOf } = await smoke(...temporary);
    expect(lineOf('refund')).toMatch(/^✗ .*answered 403, refused/);
    expect([code, pipeline.posted]).toEqual([1, [403, 202, 403, 403, 403, 202, 403]]);
  });

  it('is asked again soon while it has no keys at all', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.webhook = { status: 503, body: '{"message":"Service unavailable"}' };
    await smoke();
    // For 62 ms every 6 ms, and the two forgeries.
    expect(pipeline.posted).toHaveLength(1 + 11 + 2);
  });
});
