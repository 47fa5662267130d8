import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Synthesis, synthesise } from './synthesis.ts';

/** The value of each parameter, by its name. */
const parametersOf = ({ propertiesOf }: Synthesis): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    propertiesOf('AWS::SSM::Parameter').map(({ Name, Value, Type, Tier }) => {
      expect({ Type, Tier }).toEqual({ Type: 'String', Tier: undefined });
      return [String(Name), Value];
    }),
  );
const standard = synthesise();
const parameters = parametersOf(standard);

describe('the parameters for other stacks', () => {
  it('have what order systems and the platform need', () => {
    expect(Object.keys(parameters).sort()).toEqual([
      '/payhooks-production/AlarmTopicArn',
      '/payhooks-production/OperationsInvokeArn',
      '/payhooks-production/OperationsUrl',
      '/payhooks-production/OrderFeedBusArn',
      '/payhooks-production/OrderFeedBusName',
      '/payhooks-production/OrderQueryInvokeArn',
      '/payhooks-production/OrderQueryUrl',
      '/payhooks-production/WebhookUrl',
    ]);
  });

  it('have the value of the output of their name', () => {
    for (const [name, value] of Object.entries(parameters)) {
      const output = standard.outputs[name.replace('/payhooks-production/', '')];
      expect(output?.Value, name).toEqual(value);
    }
  });

  it('are in a folder of their environment', () => {
    const names = Object.keys(parametersOf(synthesise({ environmentName: 'development' })));
    expect(names.filter((name) => !name.startsWith('/payhooks-development/'))).toEqual([]);
  });

  it('include the topic for tickets when there is one', () => {
    const ticketTopicArn = 'arn:aws:sns:eu-central-1:111122223333:tickets';
    expect(parametersOf(synthesise({ ticketTopicArn }))['/payhooks-production/TicketTopicArn']).toBe(
      ticketTopicArn,
    );
  });

  it('are those that the documents name', () => {
    const read = (page: string) => readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
    const [, section = ''] = read('settings.md').split('\n## Parameters for other stacks\n');
    const [list = ''] = section.split('\n## ');
    const listed = new Set([...list.matchAll(/`(\w+(?:Url|Arn|Name))`/g)].map(([, name]) => name));
    const always = Object.keys(parameters).map((name) => name.split('/')[2]);
    expect([...listed].sort()).toEqual([...always, 'TicketTopicArn'].sort());
    const examples = [read('order-query.md'), read('order-feed.md')].join('\n');
    const named = [...examples.matchAll(/\/payhooks-production\/(\w+)|payhooks\('(\w+)'\)/g)].map(
      ([, path, call]) => path ?? call,
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !listed.has(name))).toEqual([]);
  });

  it('name no secret', () => {
    expect(JSON.stringify(parameters)).not.toMatch(/Secret/);
  });
});
