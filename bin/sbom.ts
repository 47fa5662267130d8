import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productionPackages } from './licences.ts';

const root = join(import.meta.dirname, '..');

/**
 * The bill of materials of what leaves this repository, in CycloneDX 1.5: the lock file without the
 * development tools.
 *
 * npm writes it, from a copy without those tools: `npm sbom --omit dev` (npm 11) also leaves out every
 * package that a development tool needs too, such as the core of the AWS SDK. Reads files only.
 */
export function billOfMaterials(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'payhooks-sbom-'));
  try {
    // npm calls the repository by the name of its folder.
    const folder = join(scratch, 'payhooks');
    mkdirSync(folder);
    const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { name, version, lockfileVersion } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    );
    const packages = { '': manifest, ...productionPackages() };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ name, version, lockfileVersion, requires: true, packages }),
    );
    return execFileSync(
      'npm',
      ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--offline'],
      { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 },
    );
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

if (import.meta.main) process.stdout.write(billOfMaterials());
