import { describe, expect, it } from 'vitest';
import { type Deployment, startDeployment } from './alarms/deployment.ts';
import { completeSettings } from './alarms/settings.ts';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

const stack = synthesise(completeSettings);
const plain = synthesise({});

type Break = (deployment: Deployment) => () => unknown;

/** Each breaks the chain and returns how it is repaired. */
const breaks: readonly (readonly [string, readonly string[], Break])[] = [
  [
    'the mapping of the feed is disabled',
    ['LogsSilent'],
    ({ stopped }) => {
      stopped.add('OrderFeed');
      return () => stopped.delete('OrderFeed');
    },
  ],
  [
    'the name of the registered URL no longer resolves',
    ['LogsSilent'],
    ({ faults }) => {
      faults.dns = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      return () => delete faults.dns;
    },
  ],
  [
    'nothing starts the heartbeat',
    ['LogsSilent'],
    ({ stopped }) => {
      stopped.add('Heartbeat');
      return () => stopped.delete('Heartbeat');
    },
  ],
  [
    'its own log group is deleted',
    [],
    ({ deletedLogs }) => {
      deletedLogs.add('Heartbeat/Function/Logs');
      return () => deletedLogs.delete('Heartbeat/Function/Logs');
    },
  ],
  [
    'Lambda throttles the function that sends it',
    ['LogsSilent'],
    ({ throttled }) => {
      throttled.add('Heartbeat');
      return () => throttled.delete('Heartbeat');
    },
  ],
  [
    'the feed has lost its permission on the bus',
    ['FeedDelayed'],
    ({ faults }) => {
      faults.bus = 'AccessDeniedException';
      return () => delete faults.bus;
    },
  ],
];

describe('the alarm HeartbeatMissing', () => {
  it.each(breaks)(
    'fires at most 15 minutes after %s, and ends after the repair',
    async (_, others, breaking) => {
      const deployment = await startDeployment(stack);
      await deployment.pass(30);
      expect(deployment.fired()).toEqual([]);
      const repair = breaking(deployment);
      await deployment.pass(15);
      expect(deployment.firing()).toContain('HeartbeatMissing');
      expect(others).toEqual(
        expect.arrayContaining(deployment.fired().filter((name) => name !== 'HeartbeatMissing')),
      );
      repair();
      await deployment.pass(11);
      expect(deployment.firing()).not.toContain('HeartbeatMissing');
    },
  );

  it('does not fire when one heartbeat is lost', async () => {
    const deployment = await startDeployment(stack);
    await deployment.pass(30, async (minute) => {
      if (minute === 9) deployment.faults.dns = new Error('ENOTFOUND');
      if (minute === 11) delete deployment.faults.dns;
    });
    expect(deployment.fired()).toEqual([]);
  });
});

describe('the alarm LogsSilent', () => {
  it.each(['Verifier/Function/Logs', 'Verifier/Endpoint/AccessLogs', 'OrderFeed/Function/Logs'])(
    'fires for %s, and ends when the group exists again',
    async (group) => {
      const deployment = await startDeployment(stack);
      await deployment.pass(20);
      deployment.deletedLogs.add(group);
      await deployment.pass(17);
      expect(deployment.firing()).toEqual(['LogsSilent']);
      deployment.deletedLogs.delete(group);
      await deployment.pass(6);
      expect(deployment.firing()).toEqual([]);
    },
  );
});

describe('the alarm WebhooksSilent', () => {
  it('fires although a heartbeat arrives every five minutes', async () => {
    const deployment = await startDeployment(synthesise({ ...completeSettings, expectWebhooksWithin: '2h' }));
    await deployment.pass(130);
    expect(deployment.firing()).toEqual(['WebhooksSilent']);
    expect(deployment.logged('heartbeat returned')).toBe(26);
  });
});

describe('the heartbeat', () => {
  it('is sent to the registered URL every five minutes, and returns by a rule of the bus', () => {
    expect(plain.at('Heartbeat/Schedule').Properties).toMatchObject({
      ScheduleExpression: 'rate(5 minutes)',
    });
    const rule = plain.at('Heartbeat/Return').Properties;
    expect(rule).toMatchObject({
      EventPattern: { source: ['payhooks.heartbeat'], 'detail-type': ['Heartbeat'] },
    });
    expect(plain.pathOf(rule['EventBusName'])).toBe('OrderFeed/Bus');
    const [target] = rule['Targets'] as readonly { readonly Arn: unknown }[];
    expect(plain.pathOf(target?.Arn)).toBe('Heartbeat/Function/Lambda');
  });

  it.each(Object.entries(variants))('is the last that is deployed in the variant %s', (_, settings) => {
    const { resources, idAt, pathOf } = synthesise({ ...settings, heartbeat: true });
    const own = idAt('Heartbeat/Schedule');
    const dependsOn = new Map(
      [...resources].map(([id, resource]) => [
        id,
        [...JSON.stringify(resource).matchAll(/"(\w+)"/g)].map(([, word = '']) => word),
      ]),
    );
    const before = new Set<string>();
    const visit = (id: string): void => {
      for (const word of dependsOn.get(id) ?? [])
        if (resources.has(word) && !before.has(word)) {
          before.add(word);
          visit(word);
        }
    };
    visit(own);
    const others = [...resources.keys()]
      .filter((id) => id !== own && !before.has(id))
      .map((id) => pathOf({ Ref: id }));
    expect(others).toEqual([]);
  });

  it('is signed with a key that CloudFormation generates', () => {
    expect(plain.at('Heartbeat/KeySecret').Properties['GenerateSecretString']).toEqual({
      PasswordLength: 64,
      ExcludeUppercase: true,
      ExcludePunctuation: true,
      ExcludeCharacters: 'ghijklmnopqrstuvwxyz',
      RequireEachIncludedType: false,
    });
  });

  it('has a secret for a client certificate only with a trust store', () => {
    const has = (settings: Readonly<Record<string, unknown>>): boolean =>
      [...synthesise(settings).resources.keys()].some((id) => id.startsWith('HeartbeatClientCertificate'));
    expect(has({})).toBe(false);
    expect(has(variants['mutual-tls'] ?? {})).toBe(true);
  });

  it('is neither archived nor matched by the rule that the documentation shows', () => {
    expect(plain.at('OrderFeed/Archive/Archive').Properties['EventPattern']).toMatchObject({
      source: ['payhooks', 'payhooks.sandbox'],
    });
  });

  it('leaves nothing behind in a stack without it', () => {
    const { resources, propertiesOf, variablesOf, pathOf } = synthesise({ heartbeat: false });
    const paths = [...resources.keys()].map((id) => pathOf({ Ref: id }));
    expect(paths.filter((path) => /Heartbeat|LogsSilent/.test(path))).toEqual([]);
    expect(propertiesOf('AWS::Events::Rule')).toEqual([]);
    expect(variablesOf('Verifier')).not.toHaveProperty('HEARTBEAT_KEY_SECRET_ARN');
  });
});

describe('every alarm that fires below a threshold or without data', () => {
  const all = Object.values(variants).flatMap((settings) =>
    synthesise(settings).propertiesOf('AWS::CloudWatch::Alarm'),
  );
  const watching = all.filter(
    ({ ComparisonOperator, TreatMissingData }) =>
      ComparisonOperator === 'LessThanThreshold' || TreatMissingData === 'breaching',
  );

  it('fills each of its metrics, because CloudWatch would look for older periods with data', () => {
    expect(watching.length).toBeGreaterThan(10);
    for (const { AlarmName, Metrics = [] } of watching) {
      const parts = Metrics as readonly { readonly Id: string; readonly Expression?: string }[];
      const expression = parts.find((part) => part.Expression !== undefined)?.Expression ?? '';
      const ids = parts.filter((part) => part.Expression === undefined).map(({ Id }) => Id);
      expect(ids.length, String(AlarmName)).toBeGreaterThan(0);
      const filled = [...expression.matchAll(/FILL\((\w+), [01]\)/g)].map(([, id]) => id);
      expect(filled.toSorted(), String(AlarmName)).toEqual(ids.toSorted());
    }
  });

  it('and every other that needs several periods in a row fills them too, so that they are in a row', () => {
    const several = all.filter(({ EvaluationPeriods }) => Number(EvaluationPeriods) > 1);
    expect(several.length).toBeGreaterThan(3);
    for (const { AlarmName, MetricName } of several) expect(MetricName, String(AlarmName)).toBeUndefined();
  });
});
