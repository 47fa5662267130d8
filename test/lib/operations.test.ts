import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate } from './iam/evaluate.ts';
import type { Policy } from './iam/policy.ts';
import { account, readPolicies, region } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';

const synthesis = synthesise();
const stack = readPolicies(synthesis);
const apiId = stack.arnAt('Operations/Endpoint/Api').split(':').at(-1) ?? '';
const guide = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

/** The identity policy in the document, for this stack. */
const [, documented = ''] = /```json\n([\s\S]+?)```/.exec(guide) ?? [];
const filled = documented.replaceAll('REGION:ACCOUNT:API_ID', `${region}:${account}:${apiId}`);
const policy = JSON.parse(filled) as Policy;

const routes = synthesis
  .propertiesOf('AWS::ApiGatewayV2::Route')
  .filter(({ ApiId }) => synthesis.pathOf(ApiId) === 'Operations/Endpoint/Api')
  .map(({ RouteKey }) => String(RouteKey));

/** The ARN of a request for a route; an id may hold anything, also a word of another route. */
function requestArn(route: string, id = 'bodies'): string {
  const [method, path = ''] = route.split(' ');
  return `arn:aws:execute-api:${region}:${account}:${apiId}/$default/${method}${path.replace(/\{\w+\}/, id)}`;
}

function isAllowed(given: Policy, resource: string): boolean {
  const principal = { kind: 'identity', arn: `arn:aws:iam::${account}:user/operator` } as const;
  const policies = { identity: [given], resource: [] };
  return evaluate({ principal, action: 'execute-api:Invoke', resource }, policies) === 'allowed';
}

const allowing = (resource: unknown): Policy => ({
  Statement: { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: String(resource) },
});

describe('the permissions of operators', () => {
  it('of docs/operations.md cover looking and judging, and neither customer data nor erasing', () => {
    expect(routes.filter((route) => isAllowed(policy, requestArn(route))).toSorted()).toEqual([
      'GET /operations/events/{event_id}',
      'GET /operations/keys',
      'GET /operations/waiting',
      'GET /operations/waiting/counts',
      'POST /operations/admit',
      'POST /operations/dismiss',
      'POST /operations/resolve',
    ]);
  });

  it('for customer data are one ARN, which covers no other route', () => {
    const bodies = allowing(`arn:aws:execute-api:${region}:${account}:${apiId}/*/GET/operations/bodies/*`);
    expect(routes.filter((route) => isAllowed(bodies, requestArn(route))).toSorted()).toEqual([
      'GET /operations/bodies/events/{event_id}',
      'GET /operations/bodies/{body_sha256}',
    ]);
  });

  it('on the output OperationsInvokeArn cover every route, and nothing of the order query', () => {
    const joined = JSON.stringify(synthesis.outputs['OperationsInvokeArn']?.Value);
    expect(joined).toContain(`{"Ref":"${synthesis.idAt('Operations/Endpoint/Api')}"}`);
    expect(joined).toMatch(/"\/\*\/\*\/operations\/\*"\]\]\}$/);
    const all = allowing(`arn:aws:execute-api:${region}:${account}:${apiId}/*/*/operations/*`);
    expect(routes.filter((route) => !isAllowed(all, requestArn(route)))).toEqual([]);
    expect(isAllowed(all, requestArn('GET /orders'))).toBe(false);
  });
});
