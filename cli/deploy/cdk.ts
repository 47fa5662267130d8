import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { takeStopSignals } from '../stop-signal.ts';

/** The CDK of a project, which shows its own progress and asks its own questions. */
export interface Cdk {
  readonly folder: string;
  /** Rejects unless it exits with 0. */
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<void>;
}

const again = 'Run the same command again: it continues with what is not done yet.';

/** A signal, such as Ctrl-C, ended the CDK. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly exitCode: ExitCode;
  constructor(verb: string, exitCode: ExitCode) {
    super(`Stopped at cdk ${verb}; what CloudFormation has begun, it finishes. ${again}`);
    this.exitCode = exitCode;
  }
}

/** As it would be typed. */
export const cdkCommand = (words: readonly string[]): string => `npx cdk ${words.map(shellQuoted).join(' ')}`;

interface CdkOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Everything that it prints goes to standard error. */
  readonly keepsOutputFree: boolean;
}

/** The CDK of the app in a folder. Throws when the folder has no app or no CDK. */
export function openCdk(folder: string, { env: own, keepsOutputFree }: CdkOptions): Cdk {
  if (!existsSync(join(folder, 'cdk.json'))) {
    const message = `${folder} has no cdk.json. Run it in the folder of a CDK app; payhooks init makes one.`;
    throw new CommandError('wrongUsage', message);
  }
  const program = programOf(folder);
  return {
    folder,
    async run(words, env = {}) {
      // Ctrl-C reaches both processes, another signal only this one, which ends after the other.
      using stop = takeStopSignals();
      const child = spawn(process.execPath, [program, ...words], {
        cwd: folder,
        env: { ...own, ...env },
        stdio: ['inherit', keepsOutputFree ? 2 : 'inherit', 'inherit'],
      });
      stop.signal.addEventListener('abort', () => child.kill());
      const code = await new Promise<number | string | null>((resolve, reject) => {
        child.on('error', reject).on('exit', (exitCode, signal) => resolve(exitCode ?? signal));
      });
      const [verb = ''] = words;
      const stopped = stop.exitCode();
      if (stopped !== undefined) throw new StoppedError(verb, stopped);
      if (code === 0) return;
      throw new CommandError('failed', `cdk ${verb} ended with ${code}; its reason is above. ${again}`);
    },
  };
}

function programOf(folder: string): string {
  try {
    return createRequire(join(folder, 'cdk.json')).resolve('aws-cdk/bin/cdk');
  } catch (cause) {
    const message = `${folder} has no CDK command. Install the packages: npm install`;
    throw new CommandError('failed', `${message} (if it lacks aws-cdk: npm install -D aws-cdk)`, { cause });
  }
}
