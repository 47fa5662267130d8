import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Synthesis, synthesise } from './synthesis.ts';

const paymentServiceBaseUrl = 'https://pay.example.com';
const audited = synthesise({ paymentServiceBaseUrl });
const withToken = synthesise({ paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' });
const outputOf = (stack: Synthesis, name: string): unknown => stack.outputs[name]?.Value;

describe('the outputs of the stack', () => {
  it('hold the settings that the CLI reads', () => {
    expect(outputOf(audited, 'PaymentServiceBaseUrl')).toBe('https://pay.example.com');
    expect(outputOf(audited, 'SignatureHeader')).toBe('x-service-signature');
    expect(outputOf(audited, 'RequiredEvents')).toBe('transaction.paid,transaction.refunded');
  });

  it.each([
    ['KeySecretArn', 'Verifier/KeySecret'],
    ['OperationsLogGroup', 'Operations/Function/Logs'],
    ['TokenSecretArn', 'TokenRefresh/TokenSecret'],
    ['TokenRefreshLogGroup', 'TokenRefresh/Function/Logs'],
    ['OrderQueryAccessLogGroup', 'OrderQuery/Endpoint/AccessLogs'],
    ['OperationsAccessLogGroup', 'Operations/Endpoint/AccessLogs'],
  ])('include %s, which names %s', (name, path) => {
    expect(withToken.pathOf(outputOf(withToken, name))).toBe(path);
  });
});

describe('the parameters for other stacks', () => {
  const readPage = (page: string) => readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  const [, section = ''] = readPage('settings.md').split('\n## Parameters for other stacks\n');
  const [list = ''] = section.split('\n## ');
  const listed = new Set([...list.matchAll(/`(\w+(?:Url|Arn|Name))`/g)].map(([, name = '']) => name));

  it('are those that docs/settings.md lists, with the value of the output of their name', () => {
    const stack = synthesise({ ticketTopicArn: 'arn:aws:sns:eu-central-1:111122223333:tickets' });
    const parameters = stack
      .propertiesOf('AWS::SSM::Parameter')
      .map(({ Name, Value }) => [String(Name), Value]);
    expect(listed.size).toBe(9);
    expect(Object.fromEntries(parameters)).toEqual(
      Object.fromEntries([...listed].map((name) => [`/payhooks-production/${name}`, outputOf(stack, name)])),
    );
  });

  it('are all that the guides for order systems name', () => {
    const examples = [readPage('order-query.md'), readPage('order-feed.md')].join('\n');
    const named = [...examples.matchAll(/(?:\/payhooks-production\/|payhooks\(')(\w+)/g)];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(([, name = '']) => !listed.has(name))).toEqual([]);
  });
});
