import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from './bundle.ts';

/**
 * Writes the declarations of `lib/index.ts`, and of the modules that these name, to `folder`. They may need
 * the packages `peers` and no other, because a user of the package has no other.
 */
export function writeDeclarations(folder: string, peers: readonly string[]): void {
  const emitted = mkdtempSync(join(tmpdir(), 'payhooks-declarations-'));
  try {
    const compiler = join(repository, 'node_modules', '.bin', 'tsc');
    const project = join(import.meta.dirname, 'tsconfig.json');
    execFileSync(compiler, ['--project', project, '--outDir', emitted], { stdio: 'inherit' });
    const files = new Set(['lib/index.d.ts']);
    for (const file of files) {
      const text = readFileSync(join(emitted, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/\b(?:from|import|types=)\s*\(?['"]([^'"]+)['"]/g)) {
        if (name.startsWith('.')) files.add(join(dirname(file), name.replace(/\.ts$/, '.d.ts')));
        else if (!peers.some((peer) => name === peer || name.startsWith(`${peer}/`)))
          throw new Error(`The declaration ${file} needs ${name}; expected only ${peers.join(' and ')}.`);
      }
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  } finally {
    rmSync(emitted, { recursive: true });
  }
}
