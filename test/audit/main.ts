/** `npm run audit:templates`: synthesises every variant of the stack once, and runs the audit tools over all. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variants as allVariants } from '../lib/variants.ts';
import { acknowledgedFindings, acknowledgementsFor } from './acknowledged-findings.ts';
import { type Finding, type Judgement, judge } from './judgement.ts';
import { auditVariables, configurationOf, synthesise } from './stacks.ts';
import { findAuditTools, runCfnLint, runCheckov } from './template-tools.ts';

const data = 'test/audit/acknowledged-findings.json';

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

/** What has to be done, and a line of counts. */
function reportOf({ open, acknowledged, unused }: Judgement): string {
  const problems = [
    ...openLines(open),
    ...unused.map((name) => `No template has ${name} any more: remove it from ${data}.`),
  ];
  const summary =
    `Audits: ${open.length} findings open, ${acknowledged.length} acknowledged, ` +
    `${unused.length} acknowledgements unused.`;
  return [...problems, summary].join('\n\n');
}

/** One text per rule and resource, with every variant in which it is found. */
function openLines(open: readonly Finding[]): string[] {
  const keyOf = ({ rule, type, path }: Finding): string => [rule, type, path].join('|');
  return [...Map.groupBy(open, keyOf).values()].flatMap((findings) => {
    const [first] = findings;
    if (first === undefined) return [];
    const { tool, rule, type, path, message } = first;
    const variants = [...new Set(findings.map(({ variant }) => `"${variant}"`))].join(', ');
    return (
      `${tool}: ${rule} at ${path || 'the template'} (${type || 'no resource'}) in ${variants}:\n` +
      `  ${message}\n  Fix it, or add rule, place and reason to ${data} if it does no harm.`
    );
  });
}
