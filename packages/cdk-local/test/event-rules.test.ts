import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openEventLog } from '../src/emulators/event-log.ts';
import { startEventRules } from '../src/event-rules.ts';
import { TemplateError } from '../src/template/schema.ts';
import { changed, readSample } from './sample-template.ts';

const event = (id: string, source: string, detailType: string) => ({
  ...{
    version: '0' as const,
    id,
    source,
    'detail-type': detailType,
    account: '0',
    region: 'r',
    resources: [],
  },
  ...{ time: '2026-11-22T08:00:00Z', detail: {} },
});

const bus = { Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'bus' } } };
const rule = (properties: object = {}) => ({
  ...bus,
  Return: {
    Type: 'AWS::Events::Rule',
    Properties: {
      EventBusName: { Ref: 'Bus' },
      EventPattern: { source: ['beats'], 'detail-type': ['Beat'] },
      Targets: [{ Id: 'Target0', Arn: { 'Fn::GetAtt': ['Worker', 'Arn'] }, RetryPolicy: {} }],
      ...properties,
    },
  },
});

describe('a rule of an event bus', () => {
  it('invokes its target with each event that matches, and with none that was there before', async () => {
    const events = openEventLog();
    const invoked: string[] = [];
    const faults: string[] = [];
    events.append([event('0', 'beats', 'Beat')]);
    const stop = startEventRules({
      models: readSample(rule()).rules,
      events,
      async invoke(functionName, { id }: { id: string } & object) {
        await pause(1);
        invoked.push(`${functionName} ${id}`);
        return { ok: true, payload: 'null' };
      },
      onFault: (sentence) => faults.push(sentence),
    } as Parameters<typeof startEventRules>[0]);
    events.append([event('1', 'beats', 'Beat'), event('2', 'orders', 'Beat'), event('3', 'beats', 'Other')]);
    events.append([event('4', 'beats', 'Beat')]);
    await stop();
    events.append([event('5', 'beats', 'Beat')]);
    expect(invoked).toEqual(['Worker 1', 'Worker 4']);
    expect(faults).toEqual([]);
    events.close();
  });

  it.each([
    ['another bus than that of the template', { EventBusName: 'default' }],
    ['a target that is no function', { Targets: [{ Id: 'T', Arn: 'arn:aws:sqs:r:0:q' }] }],
  ])('is refused with %s', (_, properties) => {
    expect(() => readSample(rule(properties))).toThrow(TemplateError);
  });
});

it('a secret with GenerateSecretString begins with a new value of its length, and another one without', () => {
  const generated = (properties: object) =>
    readSample(changed('Keys', { GenerateSecretString: properties })).secrets[0]?.value;
  expect(generated({ PasswordLength: 64, ExcludePunctuation: true })).toMatch(/^[0-9a-f]{64}$/);
  expect(generated({})).not.toBe(generated({}));
  expect(readSample().secrets[0]?.value).toBeUndefined();
});
