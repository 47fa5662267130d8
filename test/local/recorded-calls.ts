import { beforeAll, describe, expect, it } from 'vitest';
import type { CallRecorder, RecordedCall } from '../doubles/call-recorder.ts';
import { evaluate } from '../lib/iam/evaluate.ts';
import type { RequestContext } from '../lib/iam/policy.ts';
import { type Role, readPolicies } from '../lib/iam/stack-policies.ts';
import { synthesise } from '../lib/synthesis.ts';
import type { RunningPipeline } from './pipeline/running-pipeline.ts';

/** Permissions of a role that its function never uses: AWS uses them on its behalf. */
const usedByAws = [
  { what: 'the lines of a function', granted: /^logs:(CreateLogStream|PutLogEvents) on .*\/Logs:\*$/ },
  {
    what: 'the poller of a queue',
    granted:
      /^sqs:(ReceiveMessage|DeleteMessage|ChangeMessageVisibility|GetQueueAttributes) on EventQueue\/Queue$/,
  },
  {
    what: 'the poller of a stream',
    granted:
      /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams) on Tables\/Orders\/stream\/.*$/,
  },
  { what: 'the order query, as no SDK calls it', granted: /^execute-api:Invoke on OrderQuery\// },
  { what: 'the failure queue of a stream', granted: /^sqs:SendMessage on OrderFeed\/Failures$/ },
];

/** The policies of the stack that local mode runs. */
function readStack() {
  const synthesis = synthesise({
    environmentName: 'local',
    paymentServiceBaseUrl: 'https://api.payment-service.example',
  });
  const policies = readPolicies(synthesis);
  /** Local mode names resources by their logical ids, and a part of one after a slash. */
  const placeOf = (name: string): string => {
    const [id = '', ...part] = name.split('/');
    return [synthesis.resources.has(id) ? synthesis.pathOf(id) : id, ...part].join('/');
  };
  const arnOf = (place: string): string => {
    const whole = place.replace(/\/index\/.*$/, '');
    return policies.arnAt(whole) + place.slice(whole.length);
  };
  const rolePlaceOf = (caller: string): string => placeOf(caller).replace(/\/Lambda$/, '/Role');
  return { policies, placeOf, arnOf, rolePlaceOf };
}

/** The condition keys of a call on AWS; one context for each entry of a batch. */
function contextsOf({ body }: RecordedCall): RequestContext[] {
  const { event_key: leading } = (body['Key'] ?? {}) as { readonly event_key?: { readonly S: string } };
  if (leading !== undefined) return [{ 'dynamodb:LeadingKeys': leading.S }];
  const entries = body['Entries'];
  if (!Array.isArray(entries)) return [{}];
  return entries.map((entry: Readonly<Record<string, string>>) => ({
    'events:source': entry['Source'] ?? '',
    'events:detail-type': entry['DetailType'] ?? '',
  }));
}

/** The functions called exactly what their roles permit. */
export function proveGrants(recorder: CallRecorder, pipeline: () => RunningPipeline): void {
  describe('the calls of the functions', () => {
    const { policies, placeOf, arnOf, rolePlaceOf } = readStack();
    // The self-check may read what has the names that CloudFormation generates, which local mode does not; the
    // seal is rotated once a month.
    const isProven = (place: string): boolean => !/^(SelfCheck|Seal)\/Function\/Role$/.test(place);
    const provenRoles = new Map([...policies.roles].filter(([place]) => isProven(place)));
    const roleOf = (caller: string): Role | undefined => provenRoles.get(rolePlaceOf(caller));
    const made = (): RecordedCall[] => recorder.calls.filter(({ caller }) => roleOf(caller) !== undefined);

    beforeAll(async () => {
      // No fact of the acceptance suite needs the list, a transaction and the audit.
      for (const path of ['/orders?updated_since=2020-01-01T00:00:00Z', '/transactions/txn-filled'])
        expect((await pipeline().get(path)).status).toBe(200);
      await pipeline().runSchedules();
    });

    it('include some of every function, and name the resources that they use', () => {
      expect(made().length).toBeGreaterThan(500);
      const stages = new Set(made().map(({ caller }) => placeOf(caller).split('/')[0]));
      expect([...stages].sort()).toEqual([
        ...['Consumer', 'Heartbeat', 'Operations', 'OrderFeed', 'OrderQuery'],
        ...['Verifier', 'WaitingCount', 'WebhookAudit'],
      ]);
      expect(made().filter(({ resources }) => resources.length === 0)).toEqual([]);
    });

    it('are all permitted by their roles', () => {
      const refused = made().flatMap((call) => {
        const role = roleOf(call.caller);
        if (role === undefined) return [];
        const principal = { kind: 'identity', arn: role.arn } as const;
        return call.resources.flatMap((name) =>
          contextsOf(call)
            .map((context) => ({ principal, action: call.action, resource: arnOf(placeOf(name)), context }))
            .filter((request) => {
              const all = { identity: role.policies, resource: policies.policiesOf(request.resource) };
              return evaluate(request, all) !== 'allowed';
            })
            .map(() => `${placeOf(call.caller)}: ${call.action} on ${placeOf(name)}`),
        );
      });
      expect([...new Set(refused)]).toEqual([]);
    });

    it('use every permission of the roles, except those that AWS uses on their behalf', () => {
      const used = new Set(
        made().flatMap(({ caller, action, resources }) =>
          resources.map((name) => `${rolePlaceOf(caller)}: ${action} on ${placeOf(name)}`),
        ),
      );
      const unused = [...provenRoles.keys()].flatMap((role) =>
        policies
          .grantsOf(role)
          .filter((grant) => !grant.endsWith(' is denied'))
          .map((grant) => grant.replace(/ if .*/, ''))
          .filter((grant) => !used.has(`${role}: ${grant}`)),
      );
      const unexplained = unused.filter((grant) => !usedByAws.some(({ granted }) => granted.test(grant)));
      // EventBridge Scheduler takes the role of the schedule, not a function.
      expect([...new Set(unexplained)].toSorted()).toEqual([
        // The audit looks up deliveries, and compares events, once they are hours old.
        'dynamodb:BatchGetItem on Tables/Events',
        'dynamodb:BatchGetItem on Tables/Orders',
        // An act that changes only some orders of a transaction.
        'dynamodb:ConditionCheckItem on Tables/Orders',
        // An erasure where bodies have rows of their own: with eventRetentionDays.
        'dynamodb:DeleteItem on Tables/Events',
        'dynamodb:Query on Tables/Events',
        'dynamodb:Query on Tables/Orders/index/changes',
        'lambda:InvokeFunction on Heartbeat/Function/Lambda',
        'lambda:InvokeFunction on SelfCheck/Function/Lambda',
        'lambda:InvokeFunction on WaitingCount/Function/Lambda',
        'lambda:InvokeFunction on WebhookAudit/Function/Lambda',
        'sqs:SetQueueAttributes on EventQueue/DeadLetters',
      ]);
      const dead = usedByAws.filter(({ granted }) => !unused.some((grant) => granted.test(grant)));
      expect(dead.map(({ what }) => what)).toEqual([]);
    });
  });
}
