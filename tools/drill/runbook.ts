import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Texts } from '../../local/scenarios/scenario.ts';

const pages = ['runbook.md', 'recovery.md'].map((name) =>
  readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8'),
);

/** The commands of payhooks in a section of the runbook or of the page on recovery, as written there. */
export function commandsOf(heading: string): readonly string[] {
  const sections = pages.flatMap((page) => page.split(/^## /m));
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  assert(section !== undefined, `The runbook has no section ${heading}.`);
  const lines = [...section.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.replace(/\\\n\s*/g, '').split('\n'),
  );
  const inline = [...section.matchAll(/`((?:npx )?payhooks [^`]+)`/g)].map(([, command = '']) => command);
  return (
    [...lines, ...inline]
      // The drill runs in local mode, in place of the stack.
      .map((line) => line.replace(/\s+#.*$|^npx | --stack \S+/g, ''))
      .filter((line) => line.startsWith('payhooks '))
  );
}

/** A word of the runbook that stands for a value. */
const placeholder = /\b(?:ID|HASH|[A-Z]+(?:_[A-Z\d]+)+)\b/g;

/**
 * The command of a section, or the first one that begins like it, with values in place of its placeholders.
 * Throws when the section has no such command, or no value is given for a placeholder.
 */
export function commandOf(heading: string, start: string, values: Texts): string {
  const commands = commandsOf(heading);
  const wanted = `payhooks ${start}`;
  const found =
    commands.find((one) => one === wanted) ?? commands.find((one) => one.startsWith(`${wanted} `));
  assert(found !== undefined, `The runbook's ${heading} has no command payhooks ${start}.`);
  return found.replace(placeholder, (name) => {
    const value = values[name];
    assert(value !== undefined, `${found}: the drill has no value for ${name}.`);
    return value;
  });
}
