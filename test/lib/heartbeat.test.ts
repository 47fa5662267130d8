import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

const stack = synthesise();

describe('the heartbeat', () => {
  it('is sent to the registered URL, and returns by a rule of the bus, past the archive', () => {
    const rule = stack.at('Heartbeat/Return').Properties;
    expect(rule).toMatchObject({
      EventPattern: { source: ['payhooks.heartbeat'], 'detail-type': ['Heartbeat'] },
    });
    expect(stack.pathOf(rule['EventBusName'])).toBe('OrderFeed/Bus');
    const [target] = rule['Targets'] as readonly { readonly Arn: unknown }[];
    expect(stack.pathOf(target?.Arn)).toBe('Heartbeat/Function/Lambda');
    expect(stack.variablesOf('Heartbeat')['WEBHOOK_URL']).toEqual(stack.outputs['WebhookUrl']?.Value);
    const { EventPattern } = stack.at('OrderFeed/Archive/Archive').Properties;
    expect(EventPattern).toMatchObject({ source: ['payhooks', 'payhooks.sandbox'] });
  });

  it.each(Object.entries(variants))('is the last that is deployed in the variant %s', (_, settings) => {
    const { resources, idAt, pathOf } = synthesise(settings);
    const own = idAt('Heartbeat/Schedule');
    const wordsOf = new Map(
      [...resources].map(([id, resource]) => [
        id,
        [...JSON.stringify(resource).matchAll(/"(\w+)"/g)].map(([, word = '']) => word),
      ]),
    );
    const before = new Set<string>();
    const visit = (id: string): void => {
      for (const word of wordsOf.get(id) ?? [])
        if (resources.has(word) && !before.has(word)) {
          before.add(word);
          visit(word);
        }
    };
    visit(own);
    const others = [...resources.keys()].filter((id) => id !== own && !before.has(id));
    expect(others.map((id) => pathOf({ Ref: id }))).toEqual([]);
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

  it('has a secret for a client certificate only with a trust store', () => {
    const has = (settings: Readonly<Record<string, unknown>>): boolean =>
      [...synthesise(settings).resources.keys()].some((id) => id.startsWith('HeartbeatClientCertificate'));
    expect(has({})).toBe(false);
    expect(has(variants['mutual-tls'] ?? {})).toBe(true);
  });
});
