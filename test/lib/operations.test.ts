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
const guide = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');

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

describe('the permissions of operators', () => {
  it('of docs/cli.md cover looking and judging, and neither customer data nor erasing', () => {
    expect(routes.filter((route) => isAllowed(policy, requestArn(route))).toSorted()).toEqual([
      'GET /operations/approvals',
      'GET /operations/events',
      'GET /operations/events/{event_id}',
      'GET /operations/keys',
      'GET /operations/waiting',
      'GET /operations/waiting/counts',
      'POST /operations/admit',
      'POST /operations/approvals/reject',
      'POST /operations/dismiss',
      'POST /operations/resolve',
    ]);
  });

  const customerData = ['GET /operations/bodies/events/{event_id}', 'GET /operations/bodies/{body_sha256}'];
  it.each([
    ['customer data cover no other route', 'GET/operations/bodies/*', customerData],
    ['all acts cover every route, and nothing of the order query', '*/operations/*', routes.toSorted()],
  ])('for %s', (_, end, expected) => {
    const resource = `arn:aws:execute-api:${region}:${account}:${apiId}/*/${end}`;
    const given: Policy = {
      Statement: { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: resource },
    };
    const asked = [...routes, 'GET /orders'];
    expect(asked.filter((route) => isAllowed(given, requestArn(route))).toSorted()).toEqual(expected);
  });

  it('are granted by the output OperationsInvokeArn', () => {
    const joined = JSON.stringify(synthesis.outputs['OperationsInvokeArn']?.Value);
    expect(joined).toContain(`{"Ref":"${synthesis.idAt('Operations/Endpoint/Api')}"}`);
    expect(joined).toMatch(/"\/\*\/\*\/operations\/\*"\]\]\}$/);
  });
});
