import { expect, it } from 'vitest';
import type { Finding, Judgement } from './judgement.ts';
import { reportOf } from './report.ts';

const logs: Finding = {
  tool: 'checkov',
  variant: 'default',
  rule: 'CKV_AWS_158',
  type: 'AWS::Logs::LogGroup',
  path: 'Consumer/Function/Logs/Resource',
  message: 'Ensure that CloudWatch Log Group is encrypted by KMS',
};
const nothing: Judgement = { open: [], acknowledged: [], unused: [] };

it('counts what is open and what is acknowledged, by variant and tool', () => {
  const acknowledged = [logs, { ...logs, variant: 'oauth' }, { ...logs, tool: 'cdk-nag' } as const];
  const report = reportOf({ ...nothing, open: [logs], acknowledged }, ['default', 'oauth']);
  expect(report).toMatch(/^default {14}0 \+ 0 {5}1 \+ 1 {4}0 \+ 1 /m);
  expect(report).toMatch(/^oauth {16}0 \+ 0 {5}0 \+ 1 {4}0 \+ 0 /m);
  expect(report).toMatch(/\nAudits: 2 templates, 6 tools, 1 findings open, 3 acknowledged, 0 .* unused\.$/);
});

it('names rule, resource and variants of an open finding, and acknowledgements that no template needs', () => {
  const open = [logs, { ...logs, variant: 'oauth' }];
  const report = reportOf({ ...nothing, open, unused: ['CKV_AWS_27 on AWS::SQS::Queue'] }, [
    'default',
    'oauth',
  ]);
  expect(report).toContain('No template has CKV_AWS_27 on AWS::SQS::Queue any more: remove it from ');
  expect(report).toContain(
    'checkov: CKV_AWS_158 at Consumer/Function/Logs/Resource (AWS::Logs::LogGroup) in "default", "oauth":\n' +
      '  Ensure that CloudWatch Log Group is encrypted by KMS\n' +
      '  Fix it, or add rule, place and reason to test/audit/acknowledged-findings.json if it does no harm.',
  );
});
