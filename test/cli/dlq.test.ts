import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AwsError, type Operation, stubAws } from '../doubles/aws-query.ts';
import { recordCalls } from '../doubles/call-recorder.ts';
import { describedStack } from '../doubles/cloudformation.ts';
import { startDeadLetterStack } from '../doubles/dead-letter-stack.ts';
import { runPayhooks } from './payhooks-process.ts';

const event = (id: string, order: string, name = 'transaction.paid') =>
  Buffer.from(
    JSON.stringify({
      id,
      event_name: name,
      sandbox: false,
      payload: { customer: { email: 'ada@example.com' }, transaction: { id: 'T', order_id: order } },
    }),
  );

async function start() {
  const stack = await startDeadLetterStack();
  const dlq = (...argv: string[]) => runPayhooks(['dlq', ...argv, '--local', stack.url], { isScreen: true });
  return { ...stack, dlq };
}

describe('payhooks dlq list', () => {
  it('groups the messages by the error that the consumer logged, and removes none', async () => {
    const { bury, logRetry, dlq, visible, dead } = await start();
    logRetry(await bury({ body: event('e1', 'o1'), secondsAgo: 7_200 }), 'event_not_applied', 'Throttling');
    logRetry(await bury({ body: event('e2', 'o2'), secondsAgo: 10 }), 'event_not_applied', 'Throttling');
    await bury({ body: event('e3', 'o3'), secondsAgo: 60 * 60 * 50 });
    const { code, stdout } = await dlq('list');
    const rows = stdout.trimEnd().split('\n');
    expect(rows[0]).toBe(
      '2 × event_not_applied (Throttling): the event is stored, but its transaction or order could not be updated',
    );
    const cells = (row = '') => row.split(/ {2,}/);
    expect(cells(rows[2])).toEqual(['2', '2 h ago', 'transaction.paid', 'e1', 'o1', 'live', 'before']);
    expect(cells(rows[3]).slice(2)).toEqual(['transaction.paid', 'e2', 'o2', 'live']);
    expect(rows[4]).toMatch(/^1 × not_logged: the consumer logged no failed attempt/);
    expect(cells(rows[6]).slice(0, 2)).toEqual(['1', '2 d ago']);
    expect(stdout).not.toContain('ada@example.com');
    expect([code, await visible(dead)]).toEqual([0, 3]);
  });

  it('prints as JSON what it prints as a table, and that the consumer cannot read a message', async () => {
    const { sqs, dead, dlq } = await start();
    expect((await dlq('list')).stdout).toBe('The dead-letter queue is empty.\n');
    const { MessageId } = await sqs.sendMessage({ QueueUrl: dead, MessageBody: '{"order_id":"forged"}' });
    const message = { number: 1, message_id: MessageId, malformed: true, event_id: null, received_at: null };
    expect(JSON.parse((await dlq('list', '--json')).stdout)).toMatchObject({
      ...{ depth: 1, seen: 1 },
      groups: [{ error: 'message_malformed', messages: [message] }],
    });
  });
});

describe('payhooks dlq show', () => {
  it('shows a message by its number, its id or its event id, and the payload only with --body', async () => {
    const { bury, dlq } = await start();
    const none = await dlq('show', '4');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('is not among the 0 messages')]);
    const id = await bury({ body: event('e1', 'o1') });
    for (const name of ['1', id, 'e1']) {
      const { code, stdout } = await dlq('show', name);
      expect(stdout).toMatch(/^event_id +e1$(.|\n)*^order_id +o1$/m);
      expect(stdout).not.toContain('ada@example.com');
      expect(code).toBe(0);
    }
    expect((await dlq('show', '1', '--body')).stdout).toContain('"email": "ada@example.com"');
    const other = await dlq('show', '4');
    expect(other.stderr).toMatch(/: 4 is not among .* To list them: npx payhooks dlq list --local http:/);
  });
});

describe('payhooks dlq redrive', () => {
  it('moves all messages to the event queue', async () => {
    const { bury, dlq, visible, dead, events } = await start();
    for (const id of ['e1', 'e2']) await bury({ body: event(id, id) });
    const { code, stdout } = await dlq('redrive', '--yes');
    expect(stdout).toContain('Moved 2 messages.\nNow about 2 in the event queue, 0 in the dead-letter');
    expect([code, await visible(dead), await visible(events)]).toEqual([0, 0, 2]);
  });

  it.each([
    [
      'redriven before',
      { body: event('e1', 'o1'), secondsAgo: 3_600 },
      'Redriven before, and back: number 1.',
    ],
    ['no event of the verifier', undefined, 'The consumer of this version cannot read: number 2.'],
  ])('refuses while a message was %s, until --again', async (_, letter, reason) => {
    const { bury, sqs, dlq, visible, dead, events } = await start();
    if (letter === undefined) await sqs.sendMessage({ QueueUrl: dead, MessageBody: 'forged' });
    else await bury(letter);
    // Within the time of one delivery, and older than a message of this moment.
    await bury({ body: event('e2', 'o2'), secondsAgo: 5 });
    const refused = await dlq('redrive', '--yes');
    expect(refused.stderr).toContain(reason);
    expect([refused.code, await visible(dead)]).toEqual([1, 2]);
    expect((await dlq('redrive', '--again', '--yes')).code).toBe(0);
    expect([await visible(dead), await visible(events)]).toEqual([0, 2]);
  });

  it('refuses while another queue uses the dead-letter queue, and without an answer', async () => {
    const { bury, create, redrivePolicy, dlq, visible, dead } = await start();
    await bury({ body: event('e1', 'o1') });
    expect((await dlq('redrive')).code).toBe(2);
    await create('foreign', { RedrivePolicy: redrivePolicy });
    const { code, stderr } = await dlq('redrive', '--yes');
    expect(stderr).toContain('Other queues use the dead-letter queue: foreign. Nothing was moved.');
    expect([code, await visible(dead)]).toEqual([1, 1]);
  });

  /** A command that follows an active move of three messages, of which one has moved. */
  async function followActive() {
    const { bury, dlq, sqs, visible, dead } = await start();
    for (const id of ['e1', 'e2', 'e3']) await bury({ body: event(id, 'o1') });
    const SourceArn = 'arn:aws:sqs:us-east-1:000000000000:dead';
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await sqs.startMessageMoveTask({ SourceArn, MaxNumberOfMessagesPerSecond: 1 });
    const recorder = recordCalls();
    onTestFinished(recorder.stop);
    const ended = dlq('redrive');
    const looks = () => recorder.calls.filter(({ action }) => action === 'sqs:ListMessageMoveTasks');
    for (let times = 0; times < 6_000 && looks().length < 2; times += 1) await pause(10);
    const tasks = async () => (await sqs.listMessageMoveTasks({ SourceArn, MaxResults: 10 })).Results ?? [];
    return { ended, tasks, left: () => visible(dead) };
  }

  it('follows an active redrive instead of starting another one', async () => {
    const { ended, tasks, left } = await followActive();
    vi.advanceTimersByTime(2_000);
    const { code, stderr, stdout } = await ended;
    expect(stderr).toContain('; following it.');
    expect(stdout).toContain('Moved 3 messages.');
    expect([code, await left()]).toEqual([0, 0]);
    expect(await tasks()).toHaveLength(1);
  });

  it('cancels the move on Ctrl-C, and leaves the rest in the queue', async () => {
    const { ended, tasks, left } = await followActive();
    process.emit('SIGINT', 'SIGINT');
    const { code, stdout } = await ended;
    expect(stdout).toContain('the task is cancelled');
    expect([code, await left()]).toEqual([130, 2]);
    expect(await tasks()).toMatchObject([{ Status: 'CANCELLED' }]);
  });
});

describe('payhooks dlq list of a stack in AWS', () => {
  const message = {
    ...{ MessageId: 'm-1', Body: 'forged', Attributes: { SentTimestamp: '1795255200000' } },
    MD5OfBody: createHash('md5').update('forged').digest('hex'),
  };
  const outputs = {
    DeadLetterQueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/dead',
    DeadLetterQueueArn: 'arn:aws:sqs:us-east-1:000000000000:dead',
    ConsumerLogGroup: '/aws/lambda/consumer',
  };
  const found = { message_id: 'm-1', last_reason: 'event_not_recorded', last_error: 'AccessDeniedException' };

  async function listInAws(logs: Readonly<Record<string, Operation>>) {
    const received = [message];
    await stubAws({
      DescribeStacks: () => ({ Stacks: [describedStack({ name: 'shop', outputs })] }),
      GetQueueAttributes: () => ({ Attributes: { ApproximateNumberOfMessages: '1' } }),
      ReceiveMessage: () => ({ Messages: received.splice(0) }),
      ChangeMessageVisibilityBatch: () => ({ Successful: [], Failed: [] }),
      ...logs,
    });
    return runPayhooks(['dlq', 'list', '--stack', 'shop']);
  }

  it("finds the errors in the consumer's log group", async () => {
    const searched: string[] = [];
    const { stdout } = await listInAws({
      StartQuery: ({ 'logGroupNames.member.1': name = '', queryString = '' }) => {
        searched.push(name, queryString);
        return { queryId: 'q' };
      },
      GetQueryResults: () => ({
        status: 'Complete',
        results: [Object.entries(found).map(([field, value]) => ({ field, value }))],
      }),
    });
    expect(stdout).toMatch(/^1 × event_not_recorded \(AccessDeniedException\)/);
    expect(searched).toEqual([outputs.ConsumerLogGroup, expect.stringContaining('message_id in ["m-1"]')]);
  });

  it('lists the messages although the log must not be searched', async () => {
    const { code, stdout, stderr } = await listInAws({
      StartQuery() {
        throw new AwsError('AccessDeniedException', 'not authorized to perform: logs:StartQuery');
      },
    });
    expect(stderr).toContain('The errors are not known: The AWS credentials lack a permission');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 × message_malformed/)]);
  });
});
