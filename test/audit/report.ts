import type { Finding, Judgement } from './judgement.ts';

const data = 'test/audit/acknowledged-findings.json';

/** What has to be done, and a line of counts. */
export function reportOf({ open, acknowledged, unused }: Judgement): string {
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
