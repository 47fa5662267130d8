import { beforeAll, describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { actions } from './iam/actions.ts';
import { evaluate } from './iam/evaluate.ts';
import { list, type Policy, type Request } from './iam/policy.ts';
import { account, type Role, readPolicies, type StackPolicies } from './iam/stack-policies.ts';
import { synthesiseAll } from './synthesis.ts';

type Needs = Readonly<Record<string, readonly string[]>>;

const writeLog = ['logs:CreateLogStream', 'logs:PutLogEvents'];

/**
 * What the role of each function has to do, by the place of what it does it to. A new role needs an entry here,
 * and whatever is not written here must be refused.
 */
const always: Readonly<Record<string, Needs>> = {
  'Verifier/Function/Role': {
    'Verifier/KeySecret': ['secretsmanager:GetSecretValue'],
    'EventQueue/Queue': ['sqs:SendMessage'],
    'Verifier/Function/Logs:stream': writeLog,
  },
  'Consumer/Function/Role': {
    'EventQueue/Queue': [
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
    ],
    'Tables/Events': ['dynamodb:GetItem', 'dynamodb:PutItem'],
    'Tables/Orders': ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    'Consumer/Function/Logs:stream': writeLog,
  },
  'OrderQuery/Function/Role': {
    'Tables/Events': ['dynamodb:BatchGetItem', 'dynamodb:Query'],
    'Tables/Orders': ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
    'Tables/Orders/index/changes': ['dynamodb:Query'],
    'OrderQuery/Function/Logs:stream': writeLog,
  },
  'OrderFeed/Function/Role': {
    'Tables/Orders/stream/2026-11-01T00:00:00.000': [
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
    ],
    'OrderFeed/Bus': ['events:PutEvents'],
    'OrderFeed/Failures': ['sqs:SendMessage'],
    'OrderFeed/Function/Logs:stream': writeLog,
  },
};

/** With `paymentServiceBaseUrl`, the audit asks the payment service with the private key … */
const withAudit: Readonly<Record<string, Needs>> = {
  ...always,
  'WebhookAudit/Function/Role': {
    'Verifier/KeySecret': ['secretsmanager:GetSecretValue'],
    'WebhookAudit/Function/Logs:stream': writeLog,
  },
  'WebhookAudit/ScheduleRole': { 'WebhookAudit/Function/Lambda': ['lambda:InvokeFunction'] },
};

/** … or with an OAuth token, which it reads and has renewed, and then the private key is none of its business. */
const withOauth: Readonly<Record<string, Needs>> = {
  ...withAudit,
  'WebhookAudit/Function/Role': {
    'TokenRefresh/TokenSecret': ['secretsmanager:GetSecretValue', 'secretsmanager:RotateSecret'],
    // Secrets Manager lets nobody start a rotation who may not invoke its function.
    'TokenRefresh/Function/Lambda': ['lambda:InvokeFunction'],
    'WebhookAudit/Function/Logs:stream': writeLog,
  },
  'TokenRefresh/Function/Role': {
    'TokenRefresh/TokenSecret': [
      'secretsmanager:DescribeSecret',
      'secretsmanager:GetSecretValue',
      'secretsmanager:PutSecretValue',
      'secretsmanager:UpdateSecretVersionStage',
    ],
    'TokenRefresh/Function/Logs:stream': writeLog,
  },
};

/** Who takes a role; Lambda unless it is here. */
const takenBy: Readonly<Record<string, string>> = { 'WebhookAudit/ScheduleRole': 'scheduler.amazonaws.com' };

/** What a request says of itself when it is meant well. */
const contexts: Readonly<Record<string, Request['context']>> = {
  'events:PutEvents': { 'events:source': 'payhooks', 'events:detail-type': 'OrderStatusChanged' },
};

/** The worst neighbour: whoever owns the resource has opened it to everybody. */
const openToAll: Policy = { Statement: { Effect: 'Allow', Principal: '*', Action: '*', Resource: '*' } };

interface Stage {
  readonly stack: StackPolicies;
  /** Everything of the stack that an action can name; parts of a resource come after a slash or colon. */
  readonly own: readonly Target[];
}

type Target = readonly [place: string, arn: string];

let stages: readonly Stage[];
beforeAll(() => {
  stages = synthesiseAll(
    {},
    { ...everySetting, environmentName: 'audited', paymentServiceAuthentication: 'private-key' },
    { ...everySetting, environmentName: 'oauth' },
  ).map((synthesis) => {
    const stack = readPolicies(synthesis);
    return { stack, own: [...stack.arns].flatMap(([place, arn]) => [[place, arn], ...partsOf(place, arn)]) };
  });
});

function partsOf(place: string, arn: string): Target[] {
  if (arn.includes(':log-group:')) return [[`${place}:stream`, `${arn}:log-stream:one`]];
  if (arn.includes(':execute-api:')) return [[`${place}/route`, `${arn}/$default/GET/orders`]];
  if (!arn.includes(':dynamodb:')) return [];
  return ['/index/changes', '/stream/2026-11-01T00:00:00.000'].map((part) => [place + part, arn + part]);
}

function roleAt({ stack }: Stage, place: string) {
  const role = stack.roles.get(place);
  if (role === undefined) throw new Error(`no role at ${place}`);
  return role;
}

/** What a role may do to the targets, as "action on place". */
function allowed(
  role: Role,
  targets: readonly Target[],
  policies: (arn: string) => readonly Policy[],
): string[] {
  const principal = { kind: 'identity', arn: role.arn } as const;
  return targets
    .flatMap(([place, resource]) =>
      actions
        .filter((action) => {
          const request: Request = { principal, action, resource, context: contexts[action] ?? {} };
          const all = { identity: role.policies, resource: policies(resource) };
          return evaluate(request, all) === 'allowed';
        })
        .map((action) => `${action} on ${place}`),
    )
    .sort();
}

const environments = [
  { environment: 'the standard environment', index: 0, needs: always },
  { environment: 'one with an audit by private key', index: 1, needs: withAudit },
  { environment: 'one with an audit by OAuth token', index: 2, needs: withOauth },
] as const;

describe.each(environments)('the roles of $environment', ({ index, needs }) => {
  const stage = (): Stage => {
    const found = stages[index];
    if (found === undefined) throw new Error(`no stage ${index}`);
    return found;
  };
  const places = Object.keys(needs);

  it('have their needs written here, each of them', () => {
    expect([...stage().stack.roles.keys()].sort()).toEqual(places.sort());
  });

  it.each(places)('let %s do what it has to on its own resources, and nothing else', (place) => {
    const { stack, own } = stage();
    const expected = Object.entries(needs[place] ?? {}).flatMap(([target, needed]) =>
      needed.map((action) => `${action} on ${target}`),
    );
    expect(allowed(roleAt(stage(), place), own, stack.policiesOf)).toEqual(expected.sort());
  });

  it.each(places)('let %s do nothing to a neighbour in this account', (place) => {
    // A name that begins like ours meets every wildcard at the end of one.
    const neighbours = [...stage().stack.arns].flatMap(([name, arn]): Target[] => {
      const neighbour = `a neighbour of ${name}`;
      return [[neighbour, `${arn}-2`], ...partsOf(neighbour, `${arn}-2`)];
    });
    expect(allowed(roleAt(stage(), place), neighbours, () => [])).toEqual([]);
  });

  it.each(places)('let %s do nothing in another account, even where that is open to all', (place) => {
    const foreign = stage().own.map(
      ([name, arn]): Target => [`a stranger's ${name}`, arn.replace(account, '444455556666')],
    );
    expect(allowed(roleAt(stage(), place), foreign, () => [openToAll])).toEqual([]);
  });

  it('are taken by one service each and by nobody else, not even by an administrator of the account', () => {
    const { stack } = stage();
    const administrator = `arn:aws:iam::${account}:role/administrator`;
    const identities = [administrator, ...[...stack.roles.values()].map(({ arn }) => arn)];
    for (const [place, { arn }] of stack.roles) {
      const takes = (principal: Request['principal'], of = account): boolean => {
        const context = { 'aws:SourceAccount': of };
        const all = { identity: [openToAll], resource: stack.policiesOf(arn) };
        return evaluate({ principal, action: 'sts:AssumeRole', resource: arn, context }, all) === 'allowed';
      };
      const taker = takenBy[place] ?? 'lambda.amazonaws.com';
      const services = ['lambda.amazonaws.com', 'scheduler.amazonaws.com', 'ec2.amazonaws.com'];
      expect(services.filter((service) => takes({ kind: 'service', service }))).toEqual([taker]);
      expect(identities.filter((identity) => takes({ kind: 'identity', arn: identity }))).toEqual([]);
    }
  });
});

describe('the actions', () => {
  it('are enough: more than 140 that each role must not have', () => {
    expect(actions.length).toBe(new Set(actions).size);
    for (const needed of Object.values(withOauth)) {
      const used = new Set(Object.values(needed).flat());
      expect(actions.filter((action) => !used.has(action)).length).toBeGreaterThan(140);
    }
  });

  it('hold everything that a policy of the stack permits, without a wildcard', () => {
    const permitted = stages.flatMap(({ stack }) =>
      [...stack.roles.values()].flatMap(({ policies }) =>
        policies.flatMap(({ Statement }) => list(Statement).flatMap(({ Action = [] }) => list(Action))),
      ),
    );
    expect(permitted.filter((action) => !actions.includes(action))).toEqual([]);
  });
});

describe('the order feed', () => {
  it("publishes its own events and nobody else's", () => {
    const [stage] = stages;
    if (stage === undefined) throw new Error('no stage');
    const { arn, policies: identity } = roleAt(stage, 'OrderFeed/Function/Role');
    const principal = { kind: 'identity', arn } as const;
    const resource = stage.stack.arnAt('OrderFeed/Bus');
    const publishes = (source: string, detailType: string): boolean => {
      const context = { 'events:source': source, 'events:detail-type': detailType };
      const request = { principal, action: 'events:PutEvents', resource, context };
      return evaluate(request, { identity, resource: [] }) === 'allowed';
    };
    expect(publishes('payhooks', 'OrderStatusChanged')).toBe(true);
    expect(publishes('payhooks.sandbox', 'OrderStatusChanged')).toBe(true);
    expect(publishes('aws.health', 'OrderStatusChanged')).toBe(false);
    expect(publishes('payhooks', 'SomethingElse')).toBe(false);
  });
});
