import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '../checker/violation.ts';
import { bugs } from './bugs.ts';
import type { Hunt } from './hunt.ts';
import { knownBugs, outdated, undocumented, withTable } from './table.ts';

const document = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'reliability.md'), 'utf8');
const bug = (name: string) => ({ name, does: `does ${name}`, edits: [] });
const found: Hunt = {
  ...{ bug: bug('one'), seeds: 3 },
  found: { seed: 7, violation: { rule: 'recorded', sentence: 'LOST' } },
};
const head = '| bug | what the code then does | found by seed | the rule that it breaks |';
const text = (rows: string): string =>
  `## Deliberate bugs\n\n${head}\n|---|---|---|---|\n${rows}\n\n## More\n`;

describe('docs/reliability.md', () => {
  it('lists every rule of the checker', () => {
    expect(Object.values(rules).filter((rule) => !document.includes(`| ${rule} |`))).toEqual([]);
  });

  it('describes every deliberate bug, with a seed that finds it', () => {
    expect(undocumented(document, bugs)).toEqual([]);
    expect([...knownBugs(document).keys()]).toEqual(bugs.map(({ name }) => name));
  });
});

describe('the table of bugs', () => {
  it('is replaced by the bugs of today, and nothing else of the document', () => {
    const row = `| \`one\` | does one | 7 | ${rules.recorded} |`;
    expect(withTable(text('| `old` | does old | 1 | x |'), [found])).toBe(text(row));
    expect([...knownBugs(text(row))]).toEqual([['one', { seed: 7, rule: rules.recorded }]]);
    expect(undocumented(text(row), [bug('one'), bug('two')])).toEqual(['two']);
  });

  it('has no seed for a bug that no seed found', () => {
    const table = withTable(text(''), [{ bug: bug('one'), seeds: 60, found: undefined }]);
    expect(table).toContain('| `one` | does one | – | none |');
    expect(knownBugs(table).size).toBe(0);
  });

  it('is outdated when another seed finds a bug, or when it breaks another rule', () => {
    const row = (seed: number, rule: string) => text(`| \`one\` | does one | ${seed} | ${rule} |`);
    expect(outdated(row(7, rules.recorded), [found])).toEqual([]);
    expect(outdated(row(6, rules.recorded), [found])).toEqual([
      'The table shows that seed 6 finds one, and seed 7 does.',
    ]);
    expect(outdated(row(7, rules.orders), [found])).toEqual([
      `The table shows that one breaks "${rules.orders}"; it breaks "${rules.recorded}".`,
    ]);
  });

  it('names the section that it does not find', () => {
    expect(() => withTable('# Another document', [])).toThrow('under "## Deliberate bugs"');
  });
});
