/** `npm run drill`: breaks local mode, and brings it back with the commands of the runbook. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Scenario } from '../../local/scenarios/scenario.ts';
import { scenarios } from '../../local/scenarios/scenarios.ts';
import { seeFiring } from '../../local/scenarios/sights.ts';
import { pictureOf } from '../terminal/picture.ts';
import { openTheatre, type Theatre } from './theatre.ts';

type Drill = Scenario & { readonly alarm: NonNullable<Scenario['alarm']> };

const drills = scenarios.filter((scenario): scenario is Drill => scenario.alarm !== null);

const usage = `npm run drill [-- NAME … [--picture FILE]]

Breaks local mode and repairs it, one drill after the other, as an operator would: the alarm fires,
\`payhooks status\` names it, the commands of docs/runbook.md end it, and nothing acknowledged is lost.

--picture writes what is printed as an SVG image.

${drills.map(({ name, title, alarm }) => `  ${name.padEnd(22)} ${title} (${alarm})`).join('\n')}
`;

const pictureTitle = 'One drill: the alarm fires, the operator repairs the order, the alarm ends';
const printed: string[] = [];
function print(line: string): void {
  printed.push(...line.split('\n'));
  process.stdout.write(`${line}\n`);
}

/** Resolves with whether the drill ended as it should. */
async function run(drill: Drill, theatre: Theatre, place: string): Promise<boolean> {
  const { name, title, alarm, minutes = 0, minutesPerStep } = drill;
  const operator = theatre.operatorOf(alarm);
  print(`\n${place} ${name}: ${title}.`);
  try {
    const stage = theatre.openStage(name);
    const { repair = ({ endFaults }) => endFaults(), end } = await drill.begin(stage);
    await theatre.passMinutes(minutes, minutesPerStep);
    const { since, meaning } = await seeFiring(stage, alarm);
    print(`  ${alarm} fires (${since}): ${meaning}`);
    const status = await operator.type('payhooks status', { exitCode: 1 });
    if (!status.includes(alarm)) throw new Error(`payhooks status does not name ${alarm}.`);
    await repair(operator);
    await end?.();
    await theatre.untilRecorded(stage);
    print(`  ${alarm} ends ${await theatre.untilQuiet(stage, alarm)} min later.`);
    print(`  none of ${await theatre.checkNothingLost(stage)} acknowledged events is lost.`);
    return true;
  } catch (error) {
    print(`  FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !drills.some((drill) => drill.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no drill ${unknown.join(', ')}.\n\n${usage}`);
    return 2;
  }
  const chosen = drills.filter(({ name }) => names.length === 0 || names.includes(name));
  let failed = 0;
  let theatre: Theatre | undefined;
  for (const [index, drill] of chosen.entries()) {
    if (theatre === undefined) print('Starting local mode …');
    theatre ??= await openTheatre((line) => print(line === '' ? '' : `    ${line}`));
    if (await run(drill, theatre, `[${index + 1}/${chosen.length}]`)) continue;
    failed += 1;
    // What a failure leaves, such as a broken secret or a full queue, must not fail the next drill.
    await theatre.close();
    theatre = undefined;
  }
  await theatre?.close();
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
