import type { Target } from './target.ts';

/** How much CPU time one input may take. Most take less than one millisecond. */
export const cpuMillisecondsMax = 100;
/** The time of an attempt includes garbage collection, so an input that seems slow is run again. */
const attemptsMax = 5;

/** What payhooks did with an input is wrong. The message has the command that repeats it. */
export class Finding extends Error {
  override readonly name = 'Finding';
  constructor(target: Target, input: Uint8Array, what: string, cause?: unknown) {
    const base64 = Buffer.from(input).toString('base64');
    super(`${what}\nTo repeat it: npm run fuzz -- --target ${target.name} --input ${base64}`, { cause });
  }
}

/**
 * The outcome of an input. Throws a `Finding` unless it is a documented outcome, reached within the CPU time,
 * and every line of the log is one JSON object.
 */
export async function examine(target: Target, input: Uint8Array): Promise<string> {
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const since = process.threadCpuUsage();
    const { outcome, lines } = await runQuietly(target, input);
    const { user, system } = process.threadCpuUsage(since);
    milliseconds = Math.min(milliseconds, (user + system) / 1_000);
    for (const line of lines) {
      if (!isJsonObject(line))
        throw new Finding(target, input, `This line of the log is no JSON object: ${line}`);
    }
    if (!Object.hasOwn(target.outcomes, outcome)) {
      throw new Finding(target, input, `The outcome ${JSON.stringify(outcome)} is not documented.`);
    }
    if (milliseconds <= cpuMillisecondsMax) return outcome;
  }
  const took = `It took ${milliseconds} ms of CPU time for ${input.length} bytes`;
  throw new Finding(target, input, `${took}; expected at most ${cpuMillisecondsMax} ms.`);
}

/** Keeps what the target writes to its log: the lines of both outputs. */
async function runQuietly(target: Target, input: Uint8Array) {
  let written = '';
  const outputs = [process.stdout, process.stderr].map((output) => ({ output, write: output.write }));
  for (const { output } of outputs) {
    output.write = (chunk) => {
      written += String(chunk);
      return true;
    };
  }
  try {
    const outcome = await target.run(input);
    return { outcome, lines: written.split('\n').filter((line) => line !== '') };
  } catch (error) {
    throw new Finding(target, input, `It failed: ${error instanceof Error ? error.message : error}`, error);
  } finally {
    for (const { output, write } of outputs) output.write = write;
  }
}

function isJsonObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
