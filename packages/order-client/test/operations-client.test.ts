import { describe, expect, it } from 'vitest';
import { ConflictError, EventNotFoundError, ProblemError } from '../src/index.ts';
import { firstThen, problem, rejection, scene, signing } from './scene.ts';
import { sdkAuthorization } from './signature-v4.ts';

const response = { changed: true, events: [], records: [], counts: [], keys: [], next_cursor: null };
const body = JSON.stringify(response);
const act = { event_id: 'évt-1', reason: 'checked' };

describe('a read of the operations client', () => {
  it('throws EventNotFoundError when nothing was received under the id', async () => {
    const { operations } = await scene(() => problem(404));
    expect(await rejection(operations.event('evt-1'))).toBeInstanceOf(EventNotFoundError);
    expect(await rejection(operations.bodies('evt-1'))).toBeInstanceOf(EventNotFoundError);
    expect(await rejection(operations.unrecognisedBody('ab'))).toMatchObject({
      name: 'ProblemError',
      status: 404,
    });
  });
});

describe('an act of the operations client', () => {
  it('posts its request as JSON, signed with its bytes', async () => {
    const { operations, requests } = await scene(() => ({ text: body }), signing);
    expect(await operations.admit(act)).toEqual(response);
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    expect(request).toMatchObject({ method: 'POST', url: '/operations/admit', body: JSON.stringify(act) });
    expect(request.headers['content-type']).toBe('application/json');
    expect(request.headers.authorization).toBe(await sdkAuthorization(request));
  });

  it('is repeated after a fault that may pass, because acts are idempotent', async () => {
    const { operations, requests } = await scene(firstThen({ status: 503 }, { text: body }));
    await operations.erase(act);
    expect(requests.map((request) => request.body)).toEqual(Array(2).fill(JSON.stringify(act)));
  });

  it.each([undefined, 12])(
    'throws ConflictError, without another attempt, when the state forbids it; it may do so for %s s',
    async (seconds) => {
      const { operations, requests } = await scene(() => problem(409, { retry_after_seconds: seconds }));
      const error = await rejection(operations.resolve({ order_id: 'order-1', sequence: 3, reason: 'r' }));
      expect(error).toBeInstanceOf(ConflictError);
      expect(error).toBeInstanceOf(ProblemError);
      expect(error).toMatchObject({ name: 'ConflictError', status: 409, problem: { detail: 'Detail.' } });
      expect(error).toHaveProperty('retryAfterSeconds', seconds);
      expect(requests).toHaveLength(1);
    },
  );
});
