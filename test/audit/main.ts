/** `npm run audit:templates`: synthesises every variant of the stack once, and runs the audit tools over all. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variants as allVariants } from '../lib/variants.ts';
import { acknowledgedFindings, acknowledgementsFor } from './acknowledged-findings.ts';
import { judge } from './judgement.ts';
import { reportOf } from './report.ts';
import { auditVariables, configurationOf, synthesise } from './stacks.ts';
import { findAuditTools, runCfnLint, runCheckov } from './template-tools.ts';

Object.assign(process.env, auditVariables);
const venv = findAuditTools();
const scratch = await mkdtemp(join(tmpdir(), 'payhooks-audit-'));
try {
  const { variants, findings } = synthesise(allVariants, scratch);
  const [linted, checked] = await Promise.all([runCfnLint(venv, variants), runCheckov(venv, variants)]);
  const judgement = judge([...linted, ...checked, ...findings], acknowledgedFindings, (name) =>
    acknowledgementsFor(configurationOf(allVariants[name] ?? {})),
  );
  process.stdout.write(`${reportOf(judgement)}\n`);
  if (judgement.open.length + judgement.unused.length > 0) process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
