import { describe, expect, it } from 'vitest';
import { describeNamedStack } from '../../operator/aws/stacks.ts';
import { startConsole } from '../doubles/console.ts';
import { startDeployedStack } from '../doubles/deployed-stack.ts';

async function start() {
  const deployed = await startDeployedStack({ keys: '{}' });
  const { get } = await startConsole({ stack: () => describeNamedStack('payhooks-shop') });
  return { ...deployed, get, status: async () => (await get('/console/api/status')).json() };
}

describe('the status of a deployed stack in the console', () => {
  it('has the alarms with their meaning and next command, the queues, and what waits', async () => {
    const { state, armed, status } = await start();
    state.alarms['payhooks-shop-DeadLettersPresent'] = {
      ...armed,
      state: 'ALARM',
      since: '2026-11-22T09:00:00.000Z',
      description: 'Events could not be recorded.\nRunbook: https://docs.example/runbook#deadletterspresent',
    };
    state.depths['shop-dead-letters'] = 3;
    const waiting = {
      mode: 'live',
      kind: 'conflict',
      count: 2,
      oldest_recorded_at: '2026-11-22T08:00:00.000Z',
    };
    state.operations = ({ route }) => ({
      body: route.endsWith('/counts') ? { counts: [waiting] } : { keys: [] },
    });
    expect(await status()).toEqual({
      alarms: { count: 3, without_data: [], deleted: [] },
      firing: [
        {
          alarm: 'DeadLettersPresent',
          severity: 'now',
          since: '2026-11-22T09:00:00.000Z',
          meaning: 'Events could not be recorded.',
          count: 3,
          counted: 'dead letters',
          oldest_at: null,
          command: 'npx payhooks dlq list --stack payhooks-shop',
          runbook: 'https://docs.example/runbook#deadletterspresent',
        },
      ],
      queues: { events: 0, oldest_event_seconds: null, dead_letters: 3, feed_failures: 0 },
      waiting: [waiting],
      last_event_at: null,
      last_heartbeat_at: null,
      unknown: [],
    });
  });

  it('is read once for all pages that ask within a few seconds', async () => {
    const { state, status } = await start();
    let requests = 0;
    state.operations = ({ route }) => {
      if (route.endsWith('/counts')) requests += 1;
      return { body: route.endsWith('/counts') ? { counts: [] } : { keys: [] } };
    };
    await Promise.all([status(), status()]);
    await status();
    expect(requests).toBe(1);
  });
});
