import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { acknowledgedFindings } from '../../lib/acknowledged-findings.ts';
import { auditVariables, synthesise } from '../audit/stacks.ts';
import { variants } from './variants.ts';

/** Every rule that any resource meets; `npm run audit:templates` has the other variants. */
const { development = {}, 'every-setting': complete = {} } = variants;
const chosen = { development, complete };

const scratch = mkdtempSync(join(tmpdir(), 'payhooks-rule-packs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
for (const [name, value] of Object.entries(auditVariables)) vi.stubEnv(name, value);
const { findings: all } = synthesise(chosen, join(scratch, 'all'));
const { findings: open } = synthesise(chosen, join(scratch, 'open'), { acknowledged: true });

describe('the rule packs', () => {
  it.each(['AwsSolutions-', 'Serverless-', 'NIST.800.53.R5-', 'PCI.DSS.321-', 'cdk-validator-cfnguard::'])(
    'include %s',
    (prefix) => {
      expect(all.filter(({ rule }) => rule.startsWith(prefix))).not.toEqual([]);
    },
  );

  it('find nothing that is neither fixed nor acknowledged with a reason', () => {
    const lines = open.map(({ rule, variant, path, message }) => `${rule} at ${variant}/${path}: ${message}`);
    expect([...new Set(lines)].sort()).toEqual([]);
  });

  it('find tables without recovery only where keepData is false', () => {
    const recovery = all.filter(({ rule }) => rule === 'AwsSolutions-DDB3');
    expect(new Set(recovery.map(({ variant }) => variant))).toEqual(new Set(['development']));
  });
});

describe('every acknowledged finding', () => {
  const acknowledged = acknowledgedFindings.flatMap(({ rules, on }) =>
    rules.flatMap((rule) => on.map((place) => `${rule} on ${place}`)),
  );

  it('is acknowledged once', () => {
    expect(acknowledged.filter((one, index) => acknowledged.indexOf(one) !== index)).toEqual([]);
  });

  it('has a reason of at least one sentence', () => {
    const short = acknowledgedFindings.filter(({ reason }) => !/^[A-Z].{60,}\.$/.test(reason));
    expect(short.map(({ rules }) => rules)).toEqual([]);
  });
});
