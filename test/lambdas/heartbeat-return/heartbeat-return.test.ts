import { describe, expect, it, vi } from 'vitest';
import type { DeadMansSwitch } from '../../../lambdas/heartbeat-return/dead-mans-switch.ts';
import {
  createHeartbeatReturn,
  type HeartbeatReturnParts,
} from '../../../lambdas/heartbeat-return/heartbeat-return.ts';
import type { Get } from '../../../lambdas/ports/get.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const order_id = '2026-11-22T08:29:58.000Z id-3';

function setUp(parts: Partial<HeartbeatReturnParts> = {}) {
  const telemetry = recordTelemetry();
  const get = vi.fn<Get>(async () => '{"status":"paid"}');
  const receive = createHeartbeatReturn({
    ...{ get, orderQueryUrl: 'https://query.example', telemetry },
    now: () => Date.parse('2026-11-22T08:30:00.250Z'),
    ...parts,
  });
  const logged = () => telemetry.lines.map(({ level, message, fields }) => ({ level, message, ...fields }));
  return { receive: (orderId = order_id) => receive({ detail: { order_id: orderId } }), get, logged };
}

describe('a heartbeat that returns', () => {
  it('is a successful run, with its seconds in the log, once the order query returns it', async () => {
    const { receive, get, logged } = setUp();
    await receive();
    expect(logged()).toEqual([{ level: 'notice', message: 'heartbeat returned', order_id, seconds: 2.25 }]);
    expect(get.mock.calls).toEqual([
      ['https://query.example/orders/2026-11-22T08%3A29%3A58.000Z%20id-3?mode=heartbeat'],
    ]);
  });

  it('is a failed run when it returns later than the next one is sent', async () => {
    const { receive, logged } = setUp();
    const lateId = '2026-11-22T08:25:00.000Z id-3';
    await expect(receive(lateId)).rejects.toThrow('heartbeat late');
    expect(logged()).toEqual([
      { level: 'error', message: 'heartbeat late', seconds: 300.25, order_id: lateId },
    ]);
  });

  it.each<[string, Get, string]>([
    ['refuses to return it', () => Promise.reject(new Error('403')), '403'],
    ['returns it unpaid', async () => '{"status":"pending"}', 'The order is "pending"; expected "paid".'],
    ['returns no JSON', async () => '<html>', 'Unexpected token'],
  ])('is a failed run when the order query %s, and the log names the order query', async (_, get, error) => {
    const callSwitch = vi.fn<DeadMansSwitch>();
    const { receive, logged } = setUp({ get, callSwitch });
    await expect(receive()).rejects.toThrow('order query');
    expect(callSwitch).not.toHaveBeenCalled();
    const [line] = logged();
    expect(line).toMatchObject({ level: 'error', message: expect.stringContaining('order query') });
    expect(line).toMatchObject({ error_message: expect.stringContaining(error) });
  });

  it("calls the dead man's switch, and a failure of that call is only logged", async () => {
    const { receive, logged } = setUp({ callSwitch: () => Promise.reject(new Error('no subscription')) });
    await receive();
    expect(logged()[1]).toMatchObject({
      ...{ level: 'error', message: "dead man's switch not called", error_message: 'no subscription' },
    });
  });

  it.each([['order-1'], ['x2026-11-22T08:29:58.000Z id-3'], ['2026-11-22T08:29:58.000Z']])(
    'is a failed run when its order id %j does not begin with a time',
    async (orderId) => {
      const { receive, logged } = setUp();
      await expect(receive(orderId)).rejects.toThrow('heartbeat unreadable');
      expect(logged()).toEqual([{ level: 'error', message: 'heartbeat unreadable' }]);
    },
  );
});
