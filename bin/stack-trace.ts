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

/** The latest source map of a stage in a folder; a text that says what is wrong, if there is none. */
function findMap(stage: string, folder: string): { readonly file: string } | { readonly problem: string } {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.js.map')) : [];
  const files = names.filter((name) => name.startsWith(`${stage}.`)).map((name) => join(folder, name));
  const [file] = files.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  if (file !== undefined) return { file };
  const stages = [...new Set(names.map((name) => name.split('.')[0]))].join(', ') || 'none';
  return { problem: `${folder} has no source map of ${stage || 'a stage'}, only of: ${stages}. ${usage}` };
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
  const found = findMap(stage, folder);
  if ('problem' in found) {
    process.stderr.write(`${found.problem}\n`);
    process.exitCode = 1;
  } else {
    process.stderr.write(`With ${found.file}:\n`);
    process.stdout.write(resolveTrace(await text(process.stdin), found.file));
  }
}
