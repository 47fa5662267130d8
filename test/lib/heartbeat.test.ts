import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

const stack = synthesise();

describe('the heartbeat', () => {
  it('is sent to the registered URL, and returns by a rule of the bus', () => {
    const rule = stack.at('HeartbeatReturn/Rule').Properties;
    expect(rule).toMatchObject({
      EventPattern: { source: ['payhooks.heartbeat'], 'detail-type': ['Heartbeat'] },
    });
    expect(stack.pathOf(rule['EventBusName'])).toBe('OrderFeed/Bus');
    const [target] = rule['Targets'] as readonly { readonly Arn: unknown }[];
    expect(stack.pathOf(target?.Arn)).toBe('HeartbeatReturn/Function/Lambda');
    expect(stack.at('HeartbeatReturn/Function/Lambda/EventInvokeConfig').Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 300,
    });
    expect(stack.variablesOf('Heartbeat')['WEBHOOK_URL']).toEqual(stack.outputs['WebhookUrl']?.Value);
  });

  it.each(Object.entries(variants))('is the last that is deployed in the variant %s', (_, settings) => {
    const { resources, idAt, pathOf } = synthesise(settings);
    const own = idAt('Heartbeat/Schedule');
    const before = new Set([own]);
    // A set that grows while it is iterated over.
    for (const id of before)
      for (const [, word = ''] of JSON.stringify(resources.get(id)).matchAll(/"(\w+)"/g))
        if (resources.has(word)) before.add(word);
    const others = [...resources.keys()].filter((id) => !before.has(id));
    expect(others.map((id) => pathOf(id))).toEqual([]);
  });

  it('is signed with a key that CloudFormation generates', () => {
    expect(stack.at('Heartbeat/KeySecret').Properties['GenerateSecretString']).toEqual({
      PasswordLength: 64,
      ExcludeUppercase: true,
      ExcludePunctuation: true,
      ExcludeCharacters: 'ghijklmnopqrstuvwxyz',
      RequireEachIncludedType: false,
    });
  });
});
