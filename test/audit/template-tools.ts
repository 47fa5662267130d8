import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Finding } from './judgement.ts';
import type { Variant } from './stacks.ts';

const commands = ['cfn-lint', 'checkov'] as const;
const requirements = join(import.meta.dirname, 'requirements.txt');

/** The virtual environment that holds the tools: PAYHOOKS_AUDIT_VENV, or a folder per state of requirements.txt. */
export function findAuditTools(environment: NodeJS.ProcessEnv = process.env): string {
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const cache = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = environment['PAYHOOKS_AUDIT_VENV'] || join(cache, 'payhooks', `audit-${hash}`);
  const missing = commands.filter((command) => !existsSync(join(folder, 'bin', command)));
  if (missing.length === 0) return folder;
  throw new Error(
    `npm run audit:templates needs ${commands.join(' and ')}; ${folder} has no ${missing.join(' and no ')}. ` +
      `With Python 3.10 or newer, install them by \`python3 -m venv ${folder} && ` +
      `${folder}/bin/pip install -r test/audit/requirements.txt\`.`,
  );
}

interface LintMatch {
  readonly Rule: { readonly Id: string };
  readonly Message: string;
  readonly Filename: string;
  readonly Location: { readonly Path: readonly (string | number)[] | null };
}

/** What cfn-lint finds, down to the level of information. */
export async function runCfnLint(venv: string, variants: readonly Variant[]): Promise<Finding[]> {
  const files = variants.map(({ template }) => template);
  const flags = ['--format', 'json', '--include-checks', 'I', '--'];
  const matches = (await runTool(join(venv, 'bin', 'cfn-lint'), [...flags, ...files])) as LintMatch[];
  return matches.map(({ Rule, Message, Filename, Location }) => {
    const [section, id] = Location.Path ?? [];
    const where = placeIn(variants, basename(Filename), section === 'Resources' ? `${id}` : '');
    return { tool: 'cfn-lint', rule: Rule.Id, message: Message, ...where };
  });
}

interface CheckovReport {
  readonly results: {
    readonly passed_checks: readonly CheckovCheck[];
    readonly failed_checks: readonly CheckovCheck[];
  };
  readonly summary: { readonly parsing_errors: number };
}

interface CheckovCheck {
  readonly check_id: string;
  readonly check_name: string;
  readonly file_path: string;
  /** Type and logical id, with a dot between. */
  readonly resource: string;
}

/** What checkov finds; it starts slowly, so that one run reads every template. */
export async function runCheckov(venv: string, variants: readonly Variant[]): Promise<Finding[]> {
  const folder = dirname(`${variants[0]?.template}`);
  // It would otherwise look for policies and names of rules on the internet.
  const flags = [
    '--directory',
    folder,
    '--framework',
    'cloudformation',
    '--skip-download',
    '--output',
    'json',
  ];
  const { results, summary } = (await runTool(join(venv, 'bin', 'checkov'), flags)) as CheckovReport;
  const { failed_checks: failed, passed_checks: passed } = results;
  const read = new Set([...failed, ...passed].map(({ file_path }) => basename(file_path)));
  if (summary.parsing_errors > 0 || read.size !== variants.length) {
    throw new Error(`checkov could read only ${[...read]} of ${variants.length} templates.`);
  }
  return failed.map(({ check_id, check_name, file_path, resource }) => {
    const where = placeIn(variants, basename(file_path), resource.split('.').at(-1) ?? '');
    return { tool: 'checkov', rule: check_id, message: check_name, ...where };
  });
}

function placeIn(variants: readonly Variant[], file: string, logicalId: string) {
  const variant = variants.find(({ template }) => basename(template) === file);
  const place = variant?.places.get(logicalId) ?? { type: '', path: '' };
  return { variant: variant?.name ?? file, ...place };
}

/** Resolves with the JSON that a tool prints; its exit code only says whether it found something. */
function runTool(program: string, flags: readonly string[]): Promise<unknown> {
  // Nothing of the caller's environment, such as the key of an account at the tool's maker.
  const env = { PATH: process.env['PATH'], HOME: dirname(program), LANG: 'C.UTF-8', LOG_LEVEL: 'ERROR' };
  return new Promise((resolve, reject) => {
    execFile(program, flags, { env, maxBuffer: 256 * 1024 * 1024 }, (_, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch (cause) {
        reject(new Error(`${basename(program)} printed no report:\n${stdout}${stderr}`, { cause }));
      }
    });
  });
}
