import type { Order } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { liveOnly, startSmoke } from '../cli/smoke-run.ts';
import type { PipelineFaults } from '../doubles/deployed-pipeline.ts';

/** Some runs wait for an order that never comes. */
const start = (keys?: string) => startSmoke(keys, { waits: { followMilliseconds: 1_500 } });

const unavailable = { status: 503, text: '{"message":"Service unavailable"}' };
const accepted = { status: 202, text: '{"status":"accepted"}' };
const forged = / gets a 202: anyone can forge a payment$/;
describe('payhooks smoke', () => {
  it.each<[string, string, PipelineFaults, RegExp]>([
    ['an unsigned webhook is accepted', 'missing signature', { refusal: () => accepted }, forged],
    ['a foreign signature is accepted', 'foreign signature', { refusal: () => accepted }, forged],
    ['an upper-case signature is accepted', 'upper-case signature', { refusal: () => accepted }, forged],
    [
      'refusals differ',
      'foreign signature',
      { refusal: (signature) => ({ status: 403, text: `{"message":"${signature === undefined}"}` }) },
      /the first refusal had {"message":"true"}$/,
    ],
    ['forgeries get a 503', 'foreign signature', { webhook: unavailable }, /gets a 503, expected 403$/],
    ['the order query is open', 'unsigned query', { authorises: () => true }, /gets a 200, expected 403/],
    [
      'other bytes are kept',
      'bytes are kept',
      { change: (body) => ({ ...body, body_base64: 'e30=' }) },
      /other bytes/,
    ],
    // The first response of the order query has the paid order, the third the order before the repetition.
    [
      'a repetition changes the sequence',
      'repeated delivery',
      { change: (body, count) => ({ ...body, sequence: count <= 3 ? 1 : 2 }) },
      /from sequence 1 to 2$/,
    ],
    [
      'a repetition changes only the time of the last change',
      'repeated delivery',
      { change: (body, count) => (count <= 3 ? body : { ...body, updated_at: '2026-11-21T10:00:00.000Z' }) },
      /from sequence 1 to 1$/,
    ],
    [
      'sandbox orders show as live',
      'live mode untouched',
      { mixesModes: true },
      /has the sandbox order too$/,
    ],
    ['no order follows', 'order is paid', { webhook: accepted }, /the order did not show it within/],
  ])('fails when %s', async (_, name, faults, message) => {
    const { smoke, pipeline } = await start();
    Object.assign(pipeline.faults, faults);
    const { code, lineOf } = await smoke();
    expect(lineOf(name)).toMatch(/^✗ /);
    expect(lineOf(name)).toMatch(message);
    expect(code).toBe(1);
  });

  it.each<[string, (order: Order) => object, string, string]>([
    ['status', () => ({ status: 'failed' }), 'is failed after 1 event,', 'is failed after 2 events,'],
    ['sequence', () => ({ sequence: 9 }), 'sequence 9', 'sequence 9'],
    ['attention', () => ({ attention: ['conflicting_event'] }), '[conflicting_event]', '[conflicting_event]'],
    ['events', ({ events }) => ({ events: [...events, {}] }), 'after 2 events', 'after 3 events'],
  ])(
    'fails when the %s of the paid or the refunded order is wrong',
    async (_, changeOf, ifPaid, ifRefunded) => {
      const { smoke, pipeline } = await start();
      for (const [name, count, message, expected] of [
        ['order is paid', 1, ifPaid, 'expected paid after 1'],
        ['refund', 2, ifRefunded, 'expected refunded after 2'],
      ] as const) {
        pipeline.faults.change = (body) => {
          const order = body as unknown as Order;
          return order.events?.length === count ? { ...body, ...changeOf(order) } : body;
        };
        const { code, lineOf } = await smoke();
        expect(lineOf(name)).toMatch(/^✗ /);
        expect(lineOf(name)).toContain(message);
        expect(lineOf(name)).toContain(expected);
        expect(code).toBe(1);
      }
    },
  );

  it('skips the check of the live mode when there is no sandbox order', async () => {
    const { smoke, pipeline } = await start();
    pipeline.faults.webhook = accepted;
    expect((await smoke()).lineOf('live mode untouched')).toMatch(/^– .*there is no sandbox order/);
  });
});

/** The responses to the posts of a run in which only forgeries are refused. */
const allRight = [202, 403, 403, 403, 202, 202];

describe('payhooks smoke, while the verifier does not know the temporary key yet,', () => {
  const temporary = ['--temporary-sandbox-key', '--yes'];

  it.each([
    ['signed payment', 1],
    ['repeated delivery', 5],
    ['refund', 6],
  ])('waits once at the check "%s", so that no run fires SignatureMismatches', async (name, post) => {
    const { smoke, pipeline } = await start(liveOnly);
    pipeline.faults.refusedPosts = [post];
    const { code, lineOf } = await smoke(...temporary);
    expect([lineOf(name)?.slice(0, 1), code]).toEqual(['✓', 0]);
    expect(pipeline.posted).toEqual(allRight.toSpliced(post - 1, 0, 403));
  });

  it('does not wait a second time at the same post', async () => {
    const { smoke, pipeline } = await start(liveOnly);
    pipeline.faults.refusedPosts = [1, 2];
    const { code, lineOf } = await smoke(...temporary);
    expect(lineOf('signed payment')).toMatch(/^✗ .*gets a 403, refused: the verifier does not accept/);
    // The last two are a post without a signature and one with a foreign signature.
    expect([code, pipeline.posted]).toEqual([1, [403, 403, 403, 403]]);
  });

  it('does not wait a second time at a later post', async () => {
    const { smoke, pipeline } = await start(liveOnly);
    pipeline.faults.refusedPosts = [1, 7];
    const { code, lineOf } = await smoke(...temporary);
    expect(lineOf('refund')).toMatch(/^✗ .*gets a 403, refused/);
    expect([code, pipeline.posted]).toEqual([1, [403, 202, 403, 403, 403, 202, 403]]);
  });

  it('posts again every few seconds while the verifier has no key at all', async () => {
    const { smoke, pipeline } = await start();
    pipeline.faults.webhook = unavailable;
    const { stdout } = await smoke();
    // At once, after 6 ms and after 12 ms, and the two forgeries.
    expect(pipeline.posted).toHaveLength(3 + 2);
    expect(stdout).toContain('    → docs/runbook.md#webhookservererrors\n');
  });
});
