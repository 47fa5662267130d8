import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { acknowledgedFindings, acknowledgementsFor } from '../../lib/acknowledged-findings.ts';
import { judge } from '../audit/judgement.ts';
import { auditVariables, configurationOf, synthesise } from '../audit/stacks.ts';
import { variants } from '../lib/variants.ts';

/** Every rule that any resource meets; `npm run audit:templates` has the other variants. */
const { development = {}, 'every-setting': complete = {} } = variants;

const scratch = mkdtempSync(join(tmpdir(), 'payhooks-rule-packs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
for (const [name, value] of Object.entries(auditVariables)) vi.stubEnv(name, value);
// One synthesis: the packs take ten seconds for a stack.
const { findings } = synthesise({ development, complete }, scratch, ['complete']);
const of = (name: string) => findings.filter(({ variant }) => variant === name);
const lines = (found: typeof findings): string[] =>
  [...new Set(found.map(({ rule, path, message }) => `${rule} at ${path}: ${message}`))].sort();

describe('the rule packs', () => {
  it.each(['AwsSolutions-', 'Serverless-', 'NIST.800.53.R5-', 'PCI.DSS.321-', 'cdk-validator-cfnguard::'])(
    'include %s',
    (prefix) => {
      expect(of('development').filter(({ rule }) => rule.startsWith(prefix))).not.toEqual([]);
    },
  );

  it('find nothing in a stack whose accepted findings are acknowledged, as `bin/app.ts` does it', () => {
    expect(lines(of('complete'))).toEqual([]);
  });

  it('find nothing else that is not acknowledged with a reason', () => {
    const entries = acknowledgementsFor(configurationOf(development));
    const { open } = judge(of('development'), acknowledgedFindings, () => entries);
    expect(lines(open)).toEqual([]);
  });

  it('find tables without recovery where keepData is false, which is accepted nowhere else', () => {
    const rules = (entries: typeof acknowledgedFindings) => entries.flatMap((entry) => entry.rules);
    expect(of('development').map(({ rule }) => rule)).toContain('AwsSolutions-DDB3');
    expect(rules(acknowledgementsFor(configurationOf(complete)))).not.toContain('AwsSolutions-DDB3');
  });
});
