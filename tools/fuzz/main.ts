import { parseArgs } from 'node:util';
import { readCorpus, writeCorpus } from './corpus.ts';
import { examine, Finding } from './examine.ts';
import { fuzz } from './fuzz.ts';
import { createTargets } from './targets/targets.ts';

const usage = `npm run fuzz -- [--target NAME] [--seconds N] [--seed N] [--keep] [--input BASE64]

Changes inputs at random for N seconds of CPU time per target (default 6), guided by the code that they run.
Ends with an error at the first input whose outcome is not documented, that takes too long, or that breaks a
line of the log.
--keep writes the small inputs that show everything to tools/fuzz/corpus; --input runs one input.
`;

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    seconds: { type: 'string', default: '6' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
    input: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const all = await createTargets();
const targets = all.filter(({ name }) => values.target === undefined || name === values.target);
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];

if (values.help) {
  process.stdout.write(usage);
} else if (targets.length === 0 || !(seconds > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write(`${usage}The targets are ${all.map(({ name }) => name).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  try {
    for (const target of targets) {
      if (values.input === undefined) await fuzzTarget(target);
      else process.stdout.write(`${await examine(target, Buffer.from(values.input, 'base64'))}\n`);
    }
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

async function fuzzTarget(target: (typeof targets)[number]): Promise<void> {
  const begin = process.cpuUsage();
  const corpus = readCorpus(target).map(({ input }) => input);
  const isOver = () => process.cpuUsage(begin).user > seconds * 1e6;
  const { inputs, features, kept } = await fuzz(target, { seed, corpus, isOver, shrinks: values.keep });
  const outcomes = new Set(kept.map(({ outcome }) => outcome)).size;
  const shown = `${outcomes} of ${Object.keys(target.outcomes).length} outcomes`;
  process.stdout.write(`${target.name}: ${inputs} inputs, ${shown}, ${features} features, seed ${seed}\n`);
  if (values.keep) writeCorpus(target, kept);
}
