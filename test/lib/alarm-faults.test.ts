import { describe, expect, it } from 'vitest';
import { eventBody } from '../doubles/event-body.ts';
import { startDeployment } from './alarms/deployment.ts';
import { alarmOf } from './alarms/fault.ts';
import { faults } from './alarms/faults.ts';
import { completeSettings } from './alarms/settings.ts';
import { everySetting } from './every-setting.ts';
import { type Synthesis, synthesise } from './synthesis.ts';

const stack = synthesise(completeSettings);
const namesOf = ({ propertiesOf }: Synthesis): string[] =>
  propertiesOf('AWS::CloudWatch::Alarm').map(({ AlarmName }) =>
    String(AlarmName).replace(/^payhooks-production-/, ''),
  );
const paymentServiceBaseUrl = 'https://pay.example.com';
const configurations = [
  {},
  { paymentServiceBaseUrl },
  { paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' },
  everySetting,
  completeSettings,
];

describe('the alarms that have a fault here', () => {
  it('are those of all configurations', () => {
    const names = new Set(configurations.flatMap((settings) => namesOf(synthesise(settings))));
    expect([...names].sort()).toEqual([...new Set(Object.keys(faults).map(alarmOf))].sort());
  });
});

describe('the alarm', () => {
  it.each(Object.entries(faults).map(([name, fault]) => [name, fault.what, fault] as const))(
    '%s fires when %s',
    async (name, _, { cause, others = [] }) => {
      const deployment = await startDeployment(stack);
      expect(deployment.fired()).toEqual([]);
      await cause(deployment);
      expect(deployment.fired()).toEqual([alarmOf(name), ...others].sort());
    },
  );

  it('EventsDelayed also fires when no consumer has received an event for 15 minutes', async () => {
    const deployment = await startDeployment(stack);
    deployment.stopped.add('Consumer');
    await deployment.post(eventBody({ id: 'evt-1', order: 'order-1' }));
    await deployment.pass(14);
    expect(deployment.fired()).not.toContain('EventsDelayed');
    await deployment.pass(3);
    expect(deployment.fired()).toEqual(['EventsDelayed', 'HeartbeatMissing', 'LogsSilent']);
  });

  it('WaitingCountSilent also fires when no count has started for 15 minutes', async () => {
    const deployment = await startDeployment(stack);
    deployment.stopped.add('WaitingCount');
    await deployment.pass(17);
    expect(deployment.fired()).toEqual(['LogsSilent', 'WaitingCountSilent']);
  });

  it('WebhooksSilent ends with the next webhook', async () => {
    const deployment = await startDeployment(synthesise({ ...completeSettings, expectWebhooksWithin: '2h' }));
    deployment.state.assumesSchedules = true;
    await deployment.post(eventBody({ id: 'evt-1', order: 'order-1' }));
    await deployment.pass(100);
    expect(deployment.firing()).toEqual([]);
    await deployment.pass(30);
    expect(deployment.firing()).toEqual(['WebhooksSilent']);
    await deployment.post(eventBody({ id: 'evt-2', order: 'order-1' }));
    await deployment.pass(1);
    expect(deployment.firing()).toEqual([]);
  });

  it('WebhookCertificateExpiring also fires when ACM no longer reports the certificate', async () => {
    const deployment = await startDeployment(stack);
    deployment.state.assumesSchedules = true;
    await deployment.pass(1);
    deployment.stopped.add('Certificate');
    await deployment.pass(25 * 60);
    expect(deployment.fired()).toEqual(['WebhookCertificateExpiring']);
  });
});
