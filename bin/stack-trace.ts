/**
 * `npm run --silent stack-trace -- STAGE [FOLDER]` reads a log line from standard input, and prints it with
 * the lines of TypeScript in place of those of the bundle.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const usage =
  'Expected: npm run --silent stack-trace -- STAGE [FOLDER], with the folder source-maps of the deployment.';

/** What cannot be resolved, and what to do. */
class StackTraceError extends Error {
  override readonly name = 'StackTraceError';
}

/** The latest source map of a stage in a folder. */
function findMap(stage: string, folder: string): string {
  if (!existsSync(folder)) {
    throw new StackTraceError(`There is no folder ${folder}. ${usage}`);
  }
  const names = readdirSync(folder).filter((name) => name.endsWith('.js.map'));
  const files = names.filter((name) => name.startsWith(`${stage}.`)).map((name) => join(folder, name));
  const [latest] = files.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  if (latest !== undefined) return latest;
  const stages = [...new Set(names.map((name) => name.split('.')[0]))].join(', ') || 'none';
  throw new StackTraceError(
    `${folder} has no source map of ${stage || 'a stage'}, only of: ${stages}. ${usage}`,
  );
}

/** What a bundle is called in a stack trace. */
const place = /[^\s("]*(?:index\.js|bundle\.cjs):(\d+):(\d+)/g;

/** Replaces each place in a bundle by the one in the sources that the map has for it. */
export function resolveTrace(trace: string, mapFile: string): string {
  const map = new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')));
  return trace.replaceAll('\\n', '\n').replace(place, (found, line: string, column: string) => {
    const origin = map.findOrigin(Number(line), Number(column));
    return 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : found;
  });
}

if (import.meta.main) {
  const [stage = '', folder = join('cdk.out', 'source-maps')] = process.argv.slice(2);
  try {
    const file = findMap(stage, folder);
    process.stderr.write(`With ${file}:\n`);
    process.stdout.write(resolveTrace(await text(process.stdin), file));
  } catch (error) {
    if (!(error instanceof StackTraceError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
