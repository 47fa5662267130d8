import { afterEach, describe, expect, it, vi } from 'vitest';
import { templatePolicy } from '../doubles/deployed-stack.ts';
import { startSmoke } from './smoke-run.ts';

afterEach(() => vi.unstubAllEnvs());

vi.mock('../../cli/limits.ts', async (original) =>
  (await import('./short-limits.ts')).withShortLimits(original),
);

const verifierRole = 'VerifierRoleABCDEF01';

describe('the roles', () => {
  it.each([
    [
      'a boundary',
      'sqs:SendMessage',
      'PermissionsBoundaryDecisionDetail',
      'AllowedByPermissionsBoundary',
      'its permissions boundary',
    ],
    [
      'the organisation',
      'events:PutEvents',
      'OrganizationsDecisionDetail',
      'AllowedByOrganizations',
      'a policy of the organisation',
    ],
  ])('fail when %s takes something away', async (_, action, detail, field, said) => {
    const { smoke, state } = await startSmoke();
    const more = `<${detail}><${field}>false</${field}></${detail}>`;
    state.decisions = { [action]: { EvalDecision: 'implicitDeny', more } };
    const { code, lineOf } = await smoke();
    expect(lineOf('VerifierRole')).toMatch(`✗ VerifierRole           may not ${action} on arn:aws:`);
    expect(lineOf('VerifierRole')).toContain(`refused by ${said}`);
    expect(code).toBe(1);
  });

  it('fail when something dangerous is allowed', async () => {
    const { smoke, state } = await startSmoke();
    state.decisions = { 'sqs:PurgeQueue': { EvalDecision: 'allowed' } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(
      /^✗ .*may sqs:PurgeQueue on arn:.*which nobody should/,
    );
  });

  it('fail when the policy is gone, and when it is about something else', async () => {
    const { smoke, state } = await startSmoke();
    state.policy = undefined;
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^✗ .*has lost its policy verifier-policy/);
    state.policy = {
      Statement: [{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: 'arn:aws:sqs:::other' }],
    };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(
      /^✗ .*no longer allows sqs:SendMessage on Queue; events:PutEvents on Bus/,
    );
  });

  it('are judged by what IAM says of the very resource', async () => {
    const { smoke, state } = await startSmoke();
    const of = (fields: string): string =>
      `<ResourceSpecificResults><member>${fields}</member></ResourceSpecificResults>`;
    const refused = '<EvalResourceDecision>explicitDeny</EvalResourceDecision>';
    state.decisions = { 'sqs:SendMessage': { more: of(refused) } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^✗ .*may not sqs:SendMessage/);
    const missing = '<MissingContextValues><member>aws:SourceVpc</member></MissingContextValues>';
    state.decisions = { 'sqs:SendMessage': { more: of(refused + missing) } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^\? .*sqs:SendMessage depends on aws:SourceVpc/);
    state.decisions = { 'sqs:SendMessage': { EvalDecision: 'implicitDeny', EvalResourceName: '*' } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^\? .*is simulated for all resources alone/);
  });

  it('are not known when the template says nothing of one', async () => {
    const { smoke, state } = await startSmoke();
    state.otherRole = 'OtherRole';
    expect((await smoke()).lineOf('roles')).toMatch(/^\? .*no AWS::IAM::Policy for OtherRole/);
  });

  it('are asked action by action where IAM takes them not together', async () => {
    const { smoke, state } = await startSmoke();
    state.simulatesAlone = true;
    expect((await smoke()).code).toBe(0);
    state.unsimulated = ['sqs:SendMessage'];
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^\? .*it says nothing of sqs:SendMessage/);
  });

  it('are not known when a condition lacks a value', async () => {
    const { smoke, state } = await startSmoke();
    const more = '<MissingContextValues><member>aws:SourceVpc</member></MissingContextValues>';
    state.decisions = { 'sqs:SendMessage': { EvalDecision: 'implicitDeny', more } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^\? .*sqs:SendMessage depends on aws:SourceVpc/);
  });

  it('fail one by one when one was deleted, and the others are asked about', async () => {
    const { smoke, state } = await startSmoke();
    const reader = templatePolicy('ReaderRoleABCDEF02', [
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
    ]);
    state.template = { Resources: { Reader: reader, ...state.template.Resources } };
    state.deletedRoles = ['ReaderRoleABCDEF02'];
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('roles')).toMatch(/^✓ .*what 2 roles may do/);
    expect(lineOf('ReaderRole')).toMatch(/^✗ .*the role ReaderRoleABCDEF02 is gone/);
    expect(stdout).toMatch(/✗ ReaderRole[^\n]*\n {4}→ npx cdk deploy -c environmentName=shop --revert-drift/);
    expect(lineOf('VerifierRole')).toMatch(/^✓ /);
    expect(code).toBe(1);
  });

  it('fail when something is refused that is needed on all resources', async () => {
    const { smoke, state } = await startSmoke();
    const statement = { Effect: 'Allow', Action: 'xray:PutTraceSegments', Resource: '*' };
    const { Resources } = state.template;
    state.template = { Resources: { ...Resources, Policy: templatePolicy(verifierRole, [statement]) } };
    state.policy = { Statement: [statement] };
    const refused = { EvalDecision: 'implicitDeny', EvalResourceName: '*' };
    state.decisions = { 'xray:PutTraceSegments': refused };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(
      /^✗ .*may not xray:PutTraceSegments on \*: refused by its policies/,
    );
  });

  it('fail when a boundary refuses what is simulated for all resources alone', async () => {
    const { smoke, state } = await startSmoke();
    const detail = '<AllowedByPermissionsBoundary>false</AllowedByPermissionsBoundary>';
    const more = `<PermissionsBoundaryDecisionDetail>${detail}</PermissionsBoundaryDecisionDetail>`;
    state.decisions = { 'sqs:SendMessage': { EvalDecision: 'implicitDeny', EvalResourceName: '*', more } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(
      /^✗ .*may not sqs:SendMessage on arn:.*refused by its permissions boundary/,
    );
  });

  it('may do what is dangerous where the template says that they need it', async () => {
    const { smoke, state } = await startSmoke();
    const actions = ['sqs:SendMessage', 'sqs:PurgeQueue'];
    const Resource = { 'Fn::GetAtt': ['Queue', 'Arn'] };
    const wanted = templatePolicy(verifierRole, [{ Effect: 'Allow', Action: actions, Resource }]);
    state.template = { Resources: { ...state.template.Resources, Policy: wanted } };
    const queueArn = 'arn:aws:sqs:us-east-1:000000000000:shop-queue';
    state.policy = { Statement: [{ Effect: 'Allow', Action: actions, Resource: queueArn }] };
    state.decisions = { 'sqs:PurgeQueue': { EvalDecision: 'allowed' } };
    // Of the queue two of three things are left that are dangerous, and five of the role.
    expect((await smoke()).lineOf('VerifierRole')).toMatch(
      /^✓ .*may do the 2 things that it needs, and none of 7 dangerous ones/,
    );
  });

  it('are judged by all pages of a simulation', async () => {
    const { smoke, state } = await startSmoke();
    state.pagesDecisions = true;
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^✓ .*may do the 2 things that it needs/);
    state.decisions = { 'sqs:SetQueueAttributes': { EvalDecision: 'allowed' } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^✗ .*may sqs:SetQueueAttributes/);
  });
});
