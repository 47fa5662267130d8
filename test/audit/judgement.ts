import { type AcknowledgedFinding, isAt, type Place } from './acknowledged-findings.ts';

export type Tool = 'cfn-lint' | 'checkov' | 'cdk-nag' | 'Control Tower' | 'AWS rules' | 'CDK';

/** What a tool says about a resource of a template. */
export interface Finding extends Place {
  readonly tool: Tool;
  readonly variant: string;
  readonly rule: string;
  readonly message: string;
}

export interface Judgement {
  readonly open: readonly Finding[];
  readonly acknowledged: readonly Finding[];
  /** Each rule and place of an entry that no finding has, as "rule on place". */
  readonly unused: readonly string[];
}

/**
 * Divides findings into accepted and open ones. `entriesOf` returns the entries that hold for a variant, because
 * some do only with certain settings.
 */
export function judge(
  findings: readonly Finding[],
  entries: readonly AcknowledgedFinding[],
  entriesOf: (variant: string) => readonly AcknowledgedFinding[],
): Judgement {
  const used = new Set<string>();
  const accepts = (finding: Finding): boolean => {
    const names = entriesOf(finding.variant)
      .filter(({ rules }) => rules.includes(finding.rule))
      .flatMap(({ on }) => on.filter((one) => isAt(finding, one)))
      .map((one) => `${finding.rule} on ${one}`);
    for (const name of names) used.add(name);
    return names.length > 0;
  };
  const acknowledged = findings.filter(accepts);
  const all = entries.flatMap(({ rules, on }) =>
    rules.flatMap((rule) => on.map((one) => `${rule} on ${one}`)),
  );
  return {
    acknowledged,
    open: findings.filter((finding) => !acknowledged.includes(finding)),
    unused: all.filter((name) => !used.has(name)),
  };
}
