/** `npm run load`: how much local mode takes, and whether it keeps what it has acknowledged. */
import { writeFile } from 'node:fs/promises';
import { runCommand } from '../command-line.ts';
import { faultsOf } from './judgement.ts';
import { readOptions, usage } from './options.ts';
import { pictureOf } from './picture.ts';
import { createProgress } from './progress.ts';
import { reportOf } from './report.ts';
import { runLoad } from './run.ts';
import { timelineOf } from './timeline.ts';

const print = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.isHelp) {
    print(usage);
    return 0;
  }
  const progress = createProgress(options, process.stderr);
  const result = await runLoad(options, progress.show);
  progress.end();
  print(...reportOf(result));
  if (options.picture !== undefined) {
    await writeFile(options.picture, pictureOf(timelineOf(result), result.seconds));
    print('', `The picture is in ${options.picture}.`);
  }
  const faults = faultsOf(result.judgement);
  print('', ...(faults.length === 0 ? ['Every acknowledged event is recorded exactly once.'] : faults));
  return faults.length === 0 ? 0 : 1;
}

await runCommand(usage, main);
