import { describe, expect, it } from 'vitest';
import { startDeadLetterStack } from '../doubles/dead-letter-stack.ts';
import { runPayhooks } from './payhooks-process.ts';

const body = (id: string) => Buffer.from(JSON.stringify({ id, event_name: 'transaction.paid' }));

async function start() {
  const stack = await startDeadLetterStack();
  const old = await stack.create('old');
  const redrive = (...argv: string[]) => runPayhooks(['dlq', 'redrive', ...argv, '--local', stack.url]);
  return { ...stack, old, redrive };
}

describe('payhooks dlq redrive --from the queue of a deleted stack', () => {
  it('moves its messages to the event queue as the verifier wrote them', async () => {
    const { bury, old, redrive, sqs, events, visible } = await start();
    for (let id = 1; id <= 12; id += 1) await bury({ body: body(`e${id}`), secondsAgo: 90, queue: old });
    const { code, stdout } = await redrive('--from', old, '--yes');
    expect([code, stdout]).toEqual([0, 'Moved 12 messages; the old queue is empty.\n']);
    expect([await visible(old), await visible(events)]).toEqual([0, 12]);
    const MessageAttributeNames = ['All'];
    const { Messages: [first] = [] } = await sqs.receiveMessage({ QueueUrl: events, MessageAttributeNames });
    expect(Buffer.from(`${first?.Body}`, 'base64').toString()).toMatch(/^\{"id":"e\d+",/);
    expect(first?.MessageAttributes).toMatchObject({
      mode: { DataType: 'String', StringValue: 'live' },
      key_id: { StringValue: '9a76d0a46113' },
      signature: { StringValue: '5e'.repeat(32) },
      request_id: { StringValue: 'request-1' },
    });
    const receivedAt = Date.parse(`${first?.MessageAttributes?.['received_at']?.StringValue}`);
    expect(Date.now() - receivedAt).toBeGreaterThan(89_000);
  });

  it('leaves what no verifier wrote where it is, and fails', async () => {
    const { bury, old, redrive, sqs, events, visible } = await start();
    await bury({ body: body('e1'), queue: old });
    await sqs.sendMessage({ QueueUrl: old, MessageBody: '{"id":"forged"}' });
    const { code, stdout } = await redrive('--from', old, '--yes', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([1, { moved: 1, left: 1, unreadable: 1 }]);
    expect(await visible(events)).toBe(1);
  });

  it('has nothing to move from an empty queue, and asks nothing', async () => {
    const { old, redrive } = await start();
    const { code, stdout } = await redrive('--from', old);
    expect([code, stdout]).toEqual([0, 'Moved 0 messages; the old queue is empty.\n']);
  });

  it('moves nothing without a yes', async () => {
    const { bury, old, redrive, visible } = await start();
    await bury({ body: body('e1'), queue: old });
    expect((await redrive('--from', old)).code).toBe(2);
    expect(await visible(old)).toBe(1);
  });

  it.each(['events', 'dead'] as const)('refuses the queue %s of the stack itself', async (name) => {
    const { redrive, ...queues } = await start();
    const { code, stderr } = await redrive('--from', queues[name], '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining('a queue of payhooks-local itself')]);
  });

  it('refuses --again with it, which is for the dead letters of the stack', async () => {
    const { old, redrive } = await start();
    const { code, stderr } = await redrive('--from', old, '--again');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--again')]);
  });
});
