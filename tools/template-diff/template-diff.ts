import { lstatSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { formatDifferences, fullDiff, type TemplateDiff } from '@aws-cdk/cloudformation-diff';

/** The limits of CloudFormation; above them the comparison would also take minutes. */
const templateBytesMax = 1_000_000;
const resourcesMax = 500;
/** GitHub drops the summary of a step above 1 MiB. */
const summaryCharactersMax = 400_000;

/**
 * How a proposed template differs from the deployed one, in Markdown; `undefined` when the proposed one is
 * refused. It was written by a pull request, so nothing of it is run, resolved or printed as is.
 */
export async function templateDiff(deployedFile: string, proposedFile: string): Promise<string | undefined> {
  const proposed = readTemplate(proposedFile);
  if (proposed === undefined) return undefined;
  const deployed = readTemplate(deployedFile);
  if (deployed === undefined) throw new Error(`${deployedFile} holds no template in JSON.`);
  const diff = compare(deployed, proposed);
  return diff && `### ${stackIn(deployedFile)}\n\n${await summaryOf(diff)}\n`;
}

/** A link could make another file of this machine look like a template. */
function readTemplate(file: string): object | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.size > templateBytesMax) return undefined;
  try {
    const template: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isTemplate(template) ? template : undefined;
  } catch {
    return undefined;
  }
}

function isTemplate(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { Resources = {} } = value as { readonly Resources?: unknown };
  if (typeof Resources !== 'object' || Resources === null) return false;
  return Object.keys(Resources).length <= resourcesMax;
}

function compare(deployed: object, proposed: object): TemplateDiff | undefined {
  try {
    return fullDiff(deployed, proposed);
  } catch {
    return undefined;
  }
}

async function summaryOf(diff: TemplateDiff): Promise<string> {
  if (diff.isEmpty) return 'No change.';
  const stream = new PassThrough();
  const formatted = text(stream);
  formatDifferences(stream, diff);
  stream.end();
  const shown = harmless(await formatted);
  const rest = shown.length - summaryCharactersMax;
  const note = rest > 0 ? `\n… ${rest} more characters` : '';
  return `<pre>\n${shown.slice(0, summaryCharactersMax)}${note}\n</pre>`;
}

/** Text in HTML without control characters, colours, invisible characters and marks of writing direction. */
function harmless(formatted: string): string {
  return (
    formatted
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with one.
      .replaceAll(/\u001b\[[\d;]*m/g, '')
      .replaceAll(/[^\n\x20-\x7e\u2500-\u257f]/g, '?')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}

function stackIn(file: string): string {
  return /([\w-]+)\.json$/.exec(file)?.[1] ?? 'stack';
}
