/** `npm run drill`: breaks local mode, and brings it back with the commands of the runbook. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { pictureOf } from '../terminal/picture.ts';
import type { Drill } from './drill.ts';
import { drills } from './drills/drills.ts';
import { openScene, type Scene } from './scene.ts';
import { runSeries } from './series.ts';

const usage = `npm run drill [-- NAME … [--picture FILE]]

Breaks local mode and repairs it, one drill after the other, as an operator would: the alarm fires,
\`payhooks status\` names it, the commands of docs/runbook.md end it, and nothing acknowledged is lost.

--picture writes what is printed as an SVG image.

${drills.map(({ name, fault }) => `  ${name.padEnd(24)} ${fault}`).join('\n')}
`;

const pictureTitle = 'One drill: the alarm fires, the operator repairs the order, the alarm ends';
const printed: string[] = [];
function print(line: string): void {
  printed.push(...line.split('\n'));
  process.stdout.write(`${line}\n`);
}

const indented = (line: string): void => print(line === '' ? '' : `    ${line}`);

/** Resolves with whether the drill ended as it should. */
async function run(drill: Drill, scene: Scene, place: string): Promise<boolean> {
  print(`\n${place} ${drill.name}: ${drill.fault}`);
  try {
    await drill.begin(scene);
    const { since, meaning } = await scene.untilFiring(drill.alarm);
    print(`  ${drill.alarm} fires (${since}): ${meaning}`);
    const { output } = await scene.type('payhooks status', 1);
    if (!output.includes(drill.alarm)) throw new Error(`payhooks status does not name ${drill.alarm}.`);
    await drill.repair(scene);
    await scene.until(scene.retry, (pending) => pending === 0, 'every webhook gets 202 again');
    const minutes = await scene.untilQuiet(drill.alarm);
    print(`  ${drill.alarm} ends ${minutes} min later.`);
    print(`  none of ${await scene.checkNothingLost()} acknowledged events is lost.`);
    return true;
  } catch (error) {
    print(`  FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    scene.endFaults();
  }
}

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !drills.some((drill) => drill.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no drill ${unknown.join(', ')}.\n\n${usage}`);
    return 2;
  }
  const chosen = drills.filter(({ name }) => names.length === 0 || names.includes(name));
  async function open(): Promise<Scene> {
    print('Starting local mode …');
    return openScene(indented);
  }
  const failed = await runSeries(chosen, open, run);
  print(`\n${chosen.length - failed} of ${chosen.length} drills passed.`);
  return failed === 0 ? 0 : 1;
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false }, picture: { type: 'string' } },
  });
  if (values.help) print(usage);
  else process.exitCode = await main(positionals);
  // Without the lines about all drills, which come first and last.
  if (values.picture) await writeFile(values.picture, pictureOf(printed.slice(2, -2), pictureTitle));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
