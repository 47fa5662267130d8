import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloudWatchProbes } from './cloudwatch-probes.ts';
import type { Probe } from './probe.ts';
import { stackProbes } from './stack-probes.ts';
import { webhookProbes } from './webhook-probes.ts';

const { status, ...others } = stackProbes;
/** By question, in the order in which they are asked: `status` before others change something by hand. */
export const probes: Readonly<Record<string, Probe>> = {
  ...{ status, ...webhookProbes, ...cloudWatchProbes, ...others },
};

/** The rows of `docs/assumptions.md`, the only list of the questions. */
export function readQuestions() {
  const document = readFileSync(join(import.meta.dirname, '../../docs/assumptions.md'), 'utf8');
  const [, section = ''] = document.split('## What only AWS can answer');
  const plain = (cell = ''): string => cell.replaceAll(/\[(.+?)\]\(.+?\)/g, '$1').replaceAll('`', '');
  const rows = section.matchAll(/^\| `(.+?)` \| (.+?) \| (.+?) \|(?: (.+?))? \|$/gm);
  return [...rows].map(([, id = '', ...cells]) => {
    const [text = '', expected = '', byHand = ''] = cells.map(plain);
    return { id, text, expected, byHand };
  });
}
