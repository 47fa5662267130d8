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

describe('the dead letters in the console', () => {
  it('are grouped by the error that the consumer logged, without customer data', async () => {
    const { bury, logRetry, url } = await startDeadLetterStack();
    const { get } = await startConsole({ stack: () => findLocalMode(url) });
    logRetry(await bury({ body: event('e1') }), 'event_not_applied', 'Throttling');
    const shown = await (await get('/console/api/dead-letters')).json();
    expect(shown).toMatchObject({
      depth: 1,
      seen: 1,
      note: null,
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
});
