import { describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { type Decision, evaluate } from './iam/evaluate.ts';
import type { Policy, Principal } from './iam/policy.ts';
import { account, readPolicies } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';

const synthesis = synthesise(everySetting);
const stack = readPolicies(synthesis);
const everything: Policy = { Statement: { Effect: 'Allow', Action: '*', Resource: '*' } };
const bus = stack.arnAt('OrderFeed/Bus');
const identity = (arn: string): Principal => ({ kind: 'identity', arn });
const administrator = identity(`arn:aws:iam::${account}:role/administrator`);
const operator = identity(everySetting.operatorRoleArn);
const feed = identity(stack.roles.get('OrderFeed/Function/Role')?.arn ?? '');
const others = ['Verifier', 'Consumer', 'OrderQuery', 'Operations'].map((stage) =>
  identity(stack.roles.get(`${stage}/Function/Role`)?.arn ?? ''),
);

/** What becomes of a request with entries that have these sources and types, from an identity that may do all. */
function publish(
  principal: Principal,
  sources: string | readonly string[],
  types: string | readonly string[],
) {
  const context = { 'events:source': sources, 'events:detail-type': types };
  return decide(principal, 'events:PutEvents', bus, context);
}

function decide(principal: Principal, action: string, resource: string, context = {}): Decision {
  const policies = { identity: [everything], resource: stack.policiesOf(resource) };
  return evaluate({ principal, action, resource, context }, policies);
}

describe('the bus of the order feed', () => {
  it.each(['payhooks', 'payhooks.sandbox', 'payhooks.heartbeat'])(
    'takes events with the source %s from the role of the feed',
    (source) => {
      expect(publish(feed, source, 'OrderStatusChanged')).toBe('allowed');
    },
  );

  it.each(['payhooks', 'payhooks.sandbox', 'payhooks.heartbeat', 'payhooks-copy'])(
    'refuses events with the source %s from everyone else, whatever their type',
    (source) => {
      for (const principal of [administrator, operator, ...others]) {
        expect(publish(principal, source, 'OrderStatusChanged')).toBe('explicit deny');
        expect(publish(principal, source, 'Heartbeat')).toBe('explicit deny');
      }
    },
  );

  it('refuses events of the type OrderStatusChanged from everyone else, whatever their source', () => {
    for (const principal of [administrator, operator, ...others]) {
      expect(publish(principal, 'shop.checkout', 'OrderStatusChanged')).toBe('explicit deny');
    }
  });

  it('refuses a request that has one such entry among others', () => {
    const types = ['CartAbandoned', 'CartAbandoned'];
    expect(publish(administrator, ['shop.checkout', 'payhooks'], types)).toBe('explicit deny');
    expect(publish(administrator, 'shop', ['CartAbandoned', 'OrderStatusChanged'])).toBe('explicit deny');
  });

  it('refuses a rule of another bus that forwards such events, with a role or as its account', () => {
    const forwarding = identity(`arn:aws:iam::${account}:role/forwards-events`);
    const root = identity(`arn:aws:iam::${account}:root`);
    for (const principal of [forwarding, root]) {
      expect(publish(principal, 'payhooks', 'OrderStatusChanged')).toBe('explicit deny');
    }
  });

  it('leaves events with other sources and types to the policies of the account', () => {
    expect(publish(administrator, 'shop.checkout', 'CartAbandoned')).toBe('allowed');
    expect(publish(administrator, 'Payhooks', 'orderstatuschanged')).toBe('allowed');
  });

  it('takes nothing from other accounts and anonymous callers', () => {
    const stranger = identity('arn:aws:iam::444455556666:role/administrator');
    for (const [source, type] of [
      ['payhooks', 'OrderStatusChanged'],
      ['shop.checkout', 'CartAbandoned'],
    ] as const) {
      expect(publish(stranger, source, type)).not.toBe('allowed');
      expect(publish({ kind: 'anonymous' }, source, type)).not.toBe('allowed');
    }
  });

  it('denies EventBridge itself nothing, so that archived events can be replayed', () => {
    const service: Principal = { kind: 'service', service: 'events.amazonaws.com' };
    expect(publish(service, 'payhooks', 'OrderStatusChanged')).toBe('implicit deny');
    const archive = stack.arnAt('OrderFeed/Archive/Archive');
    expect(decide(operator, 'events:StartReplay', archive)).toBe('allowed');
    expect(decide(operator, 'events:StartReplay', bus)).toBe('allowed');
  });

  it.each(['PutRule', 'PutTargets', 'DeleteRule', 'RemoveTargets'])(
    'leaves %s on its rules to the policies of the account',
    (action) => {
      const rule = `${bus.replace(':event-bus/', ':rule/')}/order-system`;
      expect(decide(administrator, `events:${action}`, rule)).toBe('allowed');
      expect(decide(administrator, `events:${action}`, bus)).toBe('allowed');
    },
  );

  it('has a policy that is far below the 10,240 characters that EventBridge takes', () => {
    const size = JSON.stringify(stack.policiesOf(bus)).length;
    expect(size).toBeGreaterThan(500);
    expect(size).toBeLessThan(5_000);
  });
});
