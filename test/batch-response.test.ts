import { describe, expect, it } from 'vitest';
import { batchResponse } from '../lambdas/consumer/batch-response.ts';

describe('batchResponse', () => {
  it('lists the records to retry under the one key that Lambda reads', () => {
    const verdicts = [
      { messageId: 'a', kind: 'done' },
      { messageId: 'b', kind: 'retry' },
      { messageId: 'c', kind: 'retry' },
    ] as const;
    expect(batchResponse(verdicts)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'c' }],
    });
  });

  it('is an empty list, and so a complete success, only when every record is done', () => {
    expect(batchResponse([{ messageId: 'a', kind: 'done' }])).toEqual({ batchItemFailures: [] });
  });
});
