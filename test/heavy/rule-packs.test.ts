import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { auditVariables, synthesise } from '../audit/stacks.ts';
import { variants } from '../lib/variants.ts';

it('the rule packs find nothing in a stack whose accepted findings are acknowledged, as `bin/app.ts` does it', () => {
  for (const [name, value] of Object.entries(auditVariables)) vi.stubEnv(name, value);
  const scratch = mkdtempSync(join(tmpdir(), 'payhooks-rule-packs-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const { development = {}, 'every-setting': complete = {} } = variants;
  const { findings } = synthesise({ development, complete }, scratch, ['complete']);
  expect(findings.map(({ variant }) => variant)).toContain('development');
  expect(findings.filter(({ variant }) => variant === 'complete')).toEqual([]);
});
