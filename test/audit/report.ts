import { type Finding, type Judgement, tools } from './judgement.ts';

const data = 'test/audit/acknowledged-findings.json';

/** The counts per variant and tool, as "open + acknowledged", and what has to be done. */
export function reportOf({ open, acknowledged, unused }: Judgement, variants: readonly string[]): string {
  const count = (findings: readonly Finding[], variant: string, tool: string): number =>
    findings.filter((one) => one.variant === variant && one.tool === tool).length;
  const rows = variants.map((variant) => [
    variant,
    ...tools.map((tool) => `${count(open, variant, tool)} + ${count(acknowledged, variant, tool)}`),
  ]);
  const problems = [
    ...openLines(open),
    ...unused.map((name) => `No template has ${name} any more: remove it from ${data}.`),
  ];
  const summary =
    `Audits: ${variants.length} templates, ${tools.length} tools, ${open.length} findings open, ` +
    `${acknowledged.length} acknowledged, ${unused.length} acknowledgements unused.`;
  return [table([['open + acknowledged', ...tools], ...rows]), ...problems, summary].join('\n\n');
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
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
