import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describeNamedStack } from '../../operator/aws/stacks.ts';
import { explainError } from '../../operator/explain-error.ts';
import { openKeySecret } from '../../operator/keys.ts';
import { type Asking, openPlace } from './probe.ts';
import { probes } from './questions.ts';
import { deploy, type RunState, stackName } from './stack.ts';

export interface Run extends Omit<Asking, 'redeploy'> {
  readonly print: (line: string) => void;
}

/** Of the run, in the working directory. */
export const folder = '.aws-questions';
const file = `${folder}/state.json`;
const hourMilliseconds = 3_600_000;

export const readState = (): RunState | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

function save(state: RunState): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Deploys, and asks what can be asked now. Resolves with whether a question still has to wait. */
export async function proceed(run: Run, state: RunState): Promise<boolean> {
  // Before the stack, so that it can be removed whatever happens.
  save(state);
  if (state.deployedAt === undefined) {
    await deploy(state, { ...run, folder }).catch((error: unknown) => {
      if (!run.signal.aborted) state.answers['settings'] = { isExpected: false, evidence: `${error}` };
      throw error;
    });
    const secret = await openKeySecret(await describeNamedStack(stackName));
    await secret.replace(await secret.read(), [{ key: state.privateKey }]);
    state.deployedAt = Date.now();
    save(state);
  }
  const redeploy = (settings: object) => deploy(state, { ...run, folder, settings });
  const place = openPlace(await describeNamedStack(stackName), state.privateKey, { ...run, redeploy });
  for (const [id, { ask, hours = 0 }] of Object.entries(probes)) {
    run.signal.throwIfAborted();
    const isDue = Date.now() >= state.deployedAt + hours * hourMilliseconds;
    if (!isDue || state.answers[id] !== undefined) continue;
    run.print(`Asking ${id} …`);
    state.answers[id] = await ask(place).catch((error: unknown) => {
      run.signal.throwIfAborted();
      return { evidence: explainError(error, process.env).message };
    });
    save(state);
  }
  return Object.keys(probes).some((id) => state.answers[id] === undefined);
}
