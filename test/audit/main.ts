/** `npm run audit:templates`: synthesises every variant of the stack once, and runs rule packs over all. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingName } from '../../lib/settings.ts';
import { variants } from '../lib/variants.ts';
import entries from './acknowledged-findings.json' with { type: 'json' };
import { configurationOf, type Finding, findingsIn } from './findings.ts';

/** A finding that is accepted. */
interface Acknowledgement {
  /** The names of the rule, one per rule pack that has it. */
  readonly rules: readonly string[];
  /** Resource types, or construct paths without the stack. */
  readonly on: readonly string[];
  /** The values of settings with which alone it is accepted; `null` is none, `"*"` is any. */
  readonly when?: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly reason: string;
}

const data = 'test/audit/acknowledged-findings.json';
const acknowledgements: readonly Acknowledgement[] = entries;

/** Whether an acknowledgement on `on` is about the resource: its type, its path, or a construct around it. */
const isAt = ({ type, path }: Finding, on: string): boolean =>
  on.startsWith('AWS::') ? type === on : `${path}/`.startsWith(`${on}/`);

const configurations = new Map(
  Object.entries(variants).map(([name, settings]) => [name, configurationOf(settings)]),
);
const holdsFor = ({ when = {} }: Acknowledgement, variant: string): boolean =>
  Object.entries(when).every(([name, value]) => {
    const given = configurations.get(variant)?.[name as SettingName] ?? null;
    return value === '*' ? given !== null : given === value;
  });

/** Each rule and place of the acknowledgements that accept a finding, as "rule on place". */
const acceptedBy = (finding: Finding): string[] =>
  acknowledgements
    .filter((entry) => entry.rules.includes(finding.rule) && holdsFor(entry, finding.variant))
    .flatMap(({ on }) => on.filter((one) => isAt(finding, one)))
    .map((one) => `${finding.rule} on ${one}`);

/** One text per rule and resource, with every variant in which it is found. */
function problemsOf(open: readonly Finding[]): string[] {
  const byPlace = Map.groupBy(open, ({ rule, type, path }) =>
    [rule, 'at', path || 'the template', `(${type || 'no resource'})`].join(' '),
  );
  return [...byPlace].map(([place, findings]) => {
    const names = [...new Set(findings.map(({ variant }) => `"${variant}"`))].join(', ');
    return (
      `${place} in ${names}:\n  ${findings[0]?.message}\n` +
      `  Fix it, or add rule, place and reason to ${data} if it does no harm.`
    );
  });
}

const scratch = mkdtempSync(join(tmpdir(), 'payhooks-audit-'));
try {
  const findings = findingsIn(variants, scratch);
  const open = findings.filter((finding) => acceptedBy(finding).length === 0);
  const used = new Set(findings.flatMap(acceptedBy));
  const unused = acknowledgements
    .flatMap(({ rules, on }) => rules.flatMap((rule) => on.map((one) => `${rule} on ${one}`)))
    .filter((name) => !used.has(name));
  const lines = [
    ...problemsOf(open),
    ...unused.map((name) => `No template has ${name} any more: remove it from ${data}.`),
    `Audits: ${open.length} findings open, ${findings.length - open.length} acknowledged, ` +
      `${unused.length} acknowledgements unused.`,
  ];
  process.stdout.write(`${lines.join('\n\n')}\n`);
  if (open.length + unused.length > 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
