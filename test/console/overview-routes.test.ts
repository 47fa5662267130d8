import { describe, expect, it } from 'vitest';
import { startConsole } from '../doubles/console.ts';
import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';

const since = '2026-11-21T10:00:00.000Z';

async function startForDeployed() {
  const deployed = await startDeployedStack({ keys: '{"private_keys":[]}' });
  const { outputs } = deployed.state;
  const { get } = await startConsole({
    stack: async () => ({ name: stackName, region: 'us-east-1', outputs }),
  });
  return { ...deployed, get };
}

it('GET /console/api/status is read once for all pages that ask within a few seconds', async () => {
  const { get, state } = await startForDeployed();
  let requests = 0;
  state.operations = ({ route }) => {
    if (route.endsWith('/counts')) requests += 1;
    return { body: route.endsWith('/counts') ? { counts: [] } : { keys: [] } };
  };
  const read = async () => (await get('/console/api/status')).json();
  await Promise.all([read(), read()]);
  expect(await read()).toMatchObject({ firing: [], waiting: [], queues: { events: 0 } });
  expect(requests).toBe(1);
});

describe('GET /console/api/alarms', () => {
  it('lists every alarm of a deployed stack with its state, also one that was deleted by hand', async () => {
    const { get, state, armed } = await startForDeployed();
    state.alarms[`${stackName}-EventsDelayed`] = {
      ...{ ...armed, state: 'ALARM', since },
      description: 'Events are late.\nSeverity: now',
    };
    state.alarms[`${stackName}-DecisionsWaiting`] = { ...armed, state: 'INSUFFICIENT_DATA', since };
    delete state.alarms[`${stackName}-WebhookServerErrors`];
    const response = await get('/console/api/alarms');
    expect(await response.json()).toEqual({
      alarms: [
        { alarm: 'EventsDelayed', state: 'ALARM', severity: 'now', since, meaning: 'Events are late.' },
        { alarm: 'WebhookServerErrors', state: 'deleted', severity: 'now', since: null, meaning: '' },
        { alarm: 'DecisionsWaiting', state: 'INSUFFICIENT_DATA', severity: 'today', since, meaning: '' },
      ],
    });
  });
});

describe('GET /console/api/runbook/{alarm}', () => {
  it('has none for an alarm that this version does not know', async () => {
    const { get } = await startConsole();
    const response = await get('/console/api/runbook/__proto__');
    expect(response.status).toBe(404);
    expect(((await response.json()) as { detail: string }).detail).toMatch(/^The runbook of this version/);
  });
});

it('GET /console/api/refused takes no other time than those that the page offers', async () => {
  const { get } = await startConsole();
  const response = await get('/console/api/refused?hours=9000');
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ detail: 'hours is one of 1, 24, 168.' }),
  ]);
});
