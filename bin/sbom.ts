import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const repository = join(import.meta.dirname, '..');

/**
 * The bill of materials of what ships, in CycloneDX: every production dependency of the project in `folder`
 * and of its workspaces, on any platform. It reads manifests and the lock file, and nothing from the network.
 *
 * npm writes it, from a copy of the project without development dependencies: `npm sbom --omit dev` (npm 11)
 * also leaves out every package that a development dependency needs too, such as the core of the AWS SDK.
 */
export function billOfMaterials(folder: string = repository): string {
  const temporary = mkdtempSync(join(tmpdir(), 'payhooks-sbom-'));
  try {
    // npm calls a project by the name of its folder.
    const scratch = join(temporary, 'payhooks');
    const files = ['package.json', 'packages/*/package.json', 'tools/*/package.json'];
    for (const file of globSync(files, { cwd: folder })) {
      const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      mkdirSync(dirname(join(scratch, file)), { recursive: true });
      writeFileSync(join(scratch, file), JSON.stringify(manifest));
    }
    copyFileSync(join(folder, 'package-lock.json'), join(scratch, 'package-lock.json'));
    const npm = (command: string, ...flags: readonly string[]): string =>
      execFileSync('npm', [command, '--package-lock-only', '--offline', ...flags], {
        cwd: scratch,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 64 * 1024 * 1024,
      });
    npm('install', '--no-audit', '--no-fund');
    return npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application');
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

if (import.meta.main) process.stdout.write(billOfMaterials());
