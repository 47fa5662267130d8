import { beforeAll, describe, expect, it } from 'vitest';
import { type Variable, variables } from '../../lambdas/contract/environment.ts';
import { referenced, type Synthesis, synthesiseAll } from './synthesis.ts';

type Environment = Readonly<Record<string, unknown>>;

/** With every function that a setting brings. */
let stack: Synthesis;
let retaining: Synthesis;
beforeAll(() => {
  [stack, retaining] = synthesiseAll(
    {
      signatureHeader: 'X-Brand-Signature',
      paymentServiceBaseUrl: 'https://pay.example.com',
      paymentServiceAuthentication: 'oauth',
    },
    { environmentName: 'retaining', eventRetentionDays: '400' },
  );
});

function environmentOf(synthesis: Synthesis, stage: string): Environment {
  const found = synthesis
    .ofType('AWS::Lambda::Function')
    .map(([, { Properties }]) => (Properties['Environment'] as { Variables: Environment }).Variables)
    .find((environment) => environment['POWERTOOLS_SERVICE_NAME'] === stage);
  if (found === undefined) throw new Error(`no function for the stage ${stage}`);
  return found;
}

/** The variables of a stage, with the construct that each one points to. */
function variablesOf(stage: string): Environment {
  const entries = Object.entries(environmentOf(stack, stage)).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : stack.pathOf(referenced(value)),
  ]);
  return Object.fromEntries(entries);
}

describe('every function', () => {
  it('runs Node.js 24 on arm64', () => {
    const functions = stack.ofType('AWS::Lambda::Function');
    expect(functions).toHaveLength(6);
    expect(retaining.ofType('AWS::Lambda::Function')).toHaveLength(4);
    for (const [, { Properties }] of functions) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
    }
  });

  it('logs into a log group of its own, which forgets', () => {
    const groups = stack
      .ofType('AWS::Lambda::Function')
      .map(([, { Properties }]) =>
        referenced((Properties['LoggingConfig'] as { LogGroup: unknown }).LogGroup),
      );
    expect(new Set(groups).size).toBe(6);
    for (const group of groups) {
      expect(stack.resources.get(group)?.Properties).toEqual({ RetentionInDays: 30 });
    }
  });

  it('has no source maps switched on, which cost every call', () => {
    for (const [, { Properties }] of stack.ofType('AWS::Lambda::Function')) {
      expect(JSON.stringify(Properties['Environment'])).not.toContain('source-map');
    }
  });

  it('is given only variables that the handlers know', () => {
    const known: readonly string[] = Object.values(variables) satisfies Variable[];
    const given = stack
      .ofType('AWS::Lambda::Function')
      .flatMap(([, { Properties }]) =>
        Object.keys((Properties['Environment'] as { Variables: Environment }).Variables),
      );
    expect(given.length).toBeGreaterThan(20);
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('the environment', () => {
  it('tells the verifier its header, its secret and its queue', () => {
    expect(variablesOf('verifier')).toEqual({
      SIGNATURE_HEADER: 'x-brand-signature',
      KEY_SECRET_ARN: 'Verifier/KeySecret',
      EVENT_QUEUE_URL: 'EventQueue/Queue',
      POWERTOOLS_SERVICE_NAME: 'verifier',
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
    });
  });

  it('tells the consumer its tables', () => {
    expect(variablesOf('consumer')).toEqual({
      EVENTS_TABLE_NAME: 'Tables/Events',
      ORDERS_TABLE_NAME: 'Tables/Orders',
      POWERTOOLS_SERVICE_NAME: 'consumer',
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
    });
  });

  it('tells the consumer how long to keep events, where they are not kept for ever', () => {
    expect(environmentOf(retaining, 'consumer')['EVENT_RETENTION_DAYS']).toBe('400');
  });

  it('tells the order query its tables', () => {
    expect(variablesOf('order-query')).toEqual({
      EVENTS_TABLE_NAME: 'Tables/Events',
      ORDERS_TABLE_NAME: 'Tables/Orders',
      POWERTOOLS_SERVICE_NAME: 'order-query',
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
    });
  });

  it('tells the order feed its bus', () => {
    expect(variablesOf('order-feed')).toEqual({
      FEED_BUS_NAME: 'OrderFeed/Bus',
      POWERTOOLS_SERVICE_NAME: 'order-feed',
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
    });
  });
});
