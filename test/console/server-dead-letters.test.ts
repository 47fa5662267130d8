import { describe, expect, it } from 'vitest';
import { findLocalMode } from '../../operator/stack/local-mode.ts';
import { startConsole } from '../doubles/console.ts';
import { startDeadLetterStack } from '../doubles/dead-letter-stack.ts';

const event = (id: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...{ id, event_name: 'transaction.paid', sandbox: false },
      payload: { customer: { email: 'ada@example.com' }, transaction: { id: 'T', order_id: 'o1' } },
    }),
  );

async function start() {
  const stack = await startDeadLetterStack();
  const { get, post } = await startConsole({ stack: () => findLocalMode(stack.url) });
  return {
    ...stack,
    list: async () => (await get('/console/api/dead-letters')).json(),
    async redrive(request: unknown) {
      const response = await post('/console/api/dead-letters/redrive', request);
      return { status: response.status, body: await response.json() };
    },
  };
}

describe('the dead letters in the console', () => {
  it('are grouped by the error that the consumer logged, without customer data', async () => {
    const { bury, logRetry, list } = await start();
    logRetry(await bury({ body: event('e1') }), 'event_not_applied', 'Throttling');
    const shown = await list();
    expect(shown).toMatchObject({
      depth: 1,
      seen: 1,
      note: null,
      redrive: null,
      groups: [
        {
          error: 'event_not_applied (Throttling)',
          meaning: 'the event is stored, but its transaction or order could not be updated',
          messages: [{ event_id: 'e1', order_id: 'o1', mode: 'live', redriven_before: false }],
        },
      ],
    });
    expect(JSON.stringify(shown)).not.toContain('ada@example.com');
  });

  it('stay where they are if one of them came back before, unless the operator moves it again', async () => {
    const { bury, redrive, visible, dead, events } = await start();
    await bury({ body: event('e1'), secondsAgo: 7_200 });
    const refused = await redrive({});
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/^Redriven before, and back: number 1\./) },
    });
    expect(await visible(dead)).toBe(1);
    expect((await redrive({ again: true })).status).toBe(200);
    await expect.poll(() => visible(events)).toBe(1);
  });

  it.each([{ again: 'yes' }, { rate: 5 }, 'again', null])(
    'are not moved by the request %j',
    async (request) => {
      const { bury, redrive, visible, dead } = await start();
      await bury({ body: event('e1') });
      expect((await redrive(request)).status).toBe(400);
      expect(await visible(dead)).toBe(1);
    },
  );
});
