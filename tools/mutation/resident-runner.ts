import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { createVitest, type Vitest } from 'vitest/node';
import {
  channelName,
  type Reply,
  type Request,
  type Results,
  type TestOutcome,
} from './resident-messages.ts';

/**
 * Runs the tests of a stage once per mutant, in one worker of vitest that keeps the code loaded: starting
 * vitest for each mutant takes a hundred times as long as the tests.
 */
class ResidentTestRunner implements TestRunner {
  readonly #channel = new BroadcastChannel(channelName);
  #vitest: Vitest | undefined;
  /** Rejects when the worker ends: it stays, unless it cannot start or crashes. */
  #ended: Promise<never> | undefined;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    // The worker would keep this process alive when the run is interrupted.
    process.once('disconnect', () => process.exit());
    this.#vitest = await createVitest('test', {
      config: 'tools/mutation/vitest.config.ts',
      runner: fileURLToPath(new URL('resident-worker.ts', import.meta.url)),
      ...{ watch: false, pool: 'threads', maxWorkers: 1, isolate: false, onConsoleLog: () => false },
    });
    const ready = this.#reply();
    this.#ended = this.#vitest.start().then(() => {
      throw new Error('The worker ended: no test file was started, or it crashed.');
    });
    this.#ended.catch(() => {});
    await Promise.race([ready, this.#ended]);
  }

  async dryRun(_: DryRunOptions): Promise<DryRunResult> {
    const { outcomes, coverage } = await this.#ask({ files: await this.#allFiles() });
    if (coverage === undefined) throw new Error('The worker counted no hits.');
    const nameOf = new Map(outcomes.map((outcome) => [outcome.id, idOf(outcome)]));
    const perTest = Object.fromEntries(
      Object.entries(coverage.perTest).map(([id, hits]) => [nameOf.get(id) ?? id, hits]),
    );
    return {
      ...{ status: DryRunStatus.Complete, tests: outcomes.map(resultOf) },
      mutantCoverage: { static: coverage.static, perTest },
    };
  }

  async mutantRun({
    activeMutant,
    testFilter,
    hitLimit,
    mutantActivation,
  }: MutantRunOptions): Promise<MutantRunResult> {
    const chosen = testFilter?.map((id) => id.split('#') as [file: string, test: string]);
    const files = chosen?.map(([file]) => resolve(file)) ?? (await this.#allFiles());
    const { outcomes, hitCount } = await this.#ask({
      files: [...new Set(files)],
      ...(chosen && { tests: chosen.map(([, test]) => test) }),
      mutant: { id: activeMutant.id, isStatic: mutantActivation === 'static', hitLimit },
    });
    const tests = outcomes.map(resultOf);
    const result = determineHitLimitReached(hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests };
    return toMutantRunResult(result);
  }

  async dispose(): Promise<void> {
    this.#channel.close();
    // Its worker never ends by itself; the process of this runner is ended.
    void this.#vitest?.close();
  }

  async #allFiles(): Promise<readonly string[]> {
    const specifications = (await this.#vitest?.globTestSpecifications()) ?? [];
    return specifications.map(({ moduleId }) => moduleId);
  }

  async #ask(request: Request): Promise<Results> {
    const reply = this.#reply();
    this.#channel.postMessage(request);
    // A crash is an error of the run; without a response it would count as an endless loop, so as noticed.
    return Promise.race([reply, ...(this.#ended ? [this.#ended] : [])]);
  }

  async #reply(): Promise<Results> {
    const [event] = await once(this.#channel as unknown as EventTarget, 'message');
    const data: Reply = event.data;
    if ('error' in data) throw new Error(`A test runner failed: ${data.error}`);
    return 'ready' in data ? { outcomes: [], hitCount: 0 } : data;
  }
}

const idOf = ({ file, id }: TestOutcome): string => `${relative(process.cwd(), file)}#${id}`;

function resultOf(outcome: TestOutcome): TestResult {
  const { name, milliseconds, file, failure } = outcome;
  const common = { id: idOf(outcome), name, timeSpentMs: milliseconds, fileName: file };
  if (failure === undefined) return { ...common, status: TestStatus.Success };
  return { ...common, status: TestStatus.Failed, failureMessage: failure };
}

/** Stryker loads this file by its path, and the runner by its name. */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'resident', ResidentTestRunner)];
