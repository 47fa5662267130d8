import { expect, it } from 'vitest';
import type { Finding } from './judgement.ts';
import { reportOf } from './report.ts';

const logs: Finding = {
  tool: 'checkov',
  variant: 'default',
  rule: 'CKV_AWS_158',
  type: 'AWS::Logs::LogGroup',
  path: 'Consumer/Function/Logs/Resource',
  message: 'Ensure that CloudWatch Log Group is encrypted by KMS',
};

it('names rule, resource and variants of an open finding, and acknowledgements that no template needs', () => {
  const open = [logs, { ...logs, variant: 'oauth' }];
  const unused = ['CKV_AWS_27 on AWS::SQS::Queue'];
  expect(reportOf({ open, unused, acknowledged: [logs] })).toBe(
    'checkov: CKV_AWS_158 at Consumer/Function/Logs/Resource (AWS::Logs::LogGroup) in "default", "oauth":\n' +
      '  Ensure that CloudWatch Log Group is encrypted by KMS\n' +
      '  Fix it, or add rule, place and reason to test/audit/acknowledged-findings.json if it does no harm.\n\n' +
      'No template has CKV_AWS_27 on AWS::SQS::Queue any more: remove it from ' +
      'test/audit/acknowledged-findings.json.\n\n' +
      'Audits: 2 findings open, 1 acknowledged, 1 acknowledgements unused.',
  );
});
