import { TestRunner, vi } from 'vitest';
import { startTests } from 'vitest/internal/browser';
import { channelName, type Reply, type Request, type TestOutcome } from './resident-messages.ts';

/** What the changed code reads and writes, by Stryker's names. */
interface Switch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> };
}
type Hits = Record<string, number>;

/** What is used here of vitest's tree of a file. */
interface Task {
  readonly type: string;
  readonly id: string;
  readonly fullTestName?: string;
  readonly file: { readonly filepath: string };
  readonly tasks?: readonly Task[];
  readonly result?: {
    readonly state?: string;
    readonly duration?: number;
    readonly errors?: readonly { readonly message?: string }[];
  };
}

const mutants: Switch = {};
Object.assign(globalThis, { __stryker__: mutants });
const loading = (file: string): string => `${file}#loading`;
const around = (file: string): string => `${file}#around`;

/**
 * Stays in vitest's worker and runs tests on request: the code is loaded once, and each request switches
 * another mutant on. A test file is evaluated anew for each request, and what it imports is not.
 */
export default class ResidentRunner extends TestRunner {
  readonly #loaded = new Set<string>();
  /** Milliseconds of the last run of each file. */
  readonly #lasted = new Map<string, number>();
  #isOver = false;

  /** The first file that vitest wants to run: from here on the plugin says what runs. */
  async onBeforeCollect(): Promise<void> {
    const nothing = async () => {};
    Object.assign(this, { onBeforeCollect: nothing, onCollectStart: nothing, onCollected: nothing });
    Object.assign(this, { onTaskUpdate: nothing });
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = async ({ data }) => {
      const reply = await this.#serve(data as Request).catch((error: unknown) => ({ error: String(error) }));
      channel.postMessage(reply satisfies Reply);
    };
    channel.postMessage({ ready: true } satisfies Reply);
    await new Promise(() => {});
  }

  override async onBeforeRunTask(test: Parameters<TestRunner['onBeforeRunTask']>[0]): Promise<void> {
    mutants.currentTestId = test.id;
    if (this.#isOver) test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: Parameters<TestRunner['onAfterRunTask']>[0]): void {
    mutants.currentTestId = around(test.file.filepath);
    // One failed test is enough for a mutant.
    this.#isOver ||= test.result?.state === 'fail' && mutants.activeMutant !== undefined;
    super.onAfterRunTask(test);
  }

  async #serve({ files, tests, mutant }: Request): Promise<Reply> {
    if (mutant === undefined) return this.#measure(files);
    if (mutant.isStatic) this.#unload();
    else for (const file of files) await this.#load(file);
    Object.assign(mutants, { activeMutant: mutant.id, hitCount: 0, hitLimit: mutant.hitLimit });
    // For processes that a test starts.
    process.env['__STRYKER_ACTIVE_MUTANT__'] = mutant.id;
    const outcomes = await this.#run(files, tests);
    delete process.env['__STRYKER_ACTIVE_MUTANT__'];
    mutants.activeMutant = undefined;
    if (mutant.isStatic) this.#unload();
    return { outcomes, hitCount: mutants.hitCount ?? 0 };
  }

  /** Runs all tests without a mutant, and counts which code each of them runs. */
  async #measure(files: readonly string[]): Promise<Reply> {
    // Here already, because code that runs nothing while it loads would make one of its own later.
    mutants.mutantCoverage ??= { static: {}, perTest: {} };
    const coverage = mutants.mutantCoverage;
    for (const file of files) await this.#load(file);
    const whileLoading = coverage.static;
    Object.assign(coverage, { static: {}, perTest: {} });
    await this.#run(files);
    const firstTime = Object.values(coverage.perTest).reduce((sum, hits) => add(sum, hits, 1), {});
    Object.assign(coverage, { static: {}, perTest: {} });
    const outcomes = await this.#run(files);
    // What runs only the first time belongs to a module that a test loads, or to what a module keeps.
    for (const hits of Object.values(coverage.perTest))
      for (const id of Object.keys(hits)) delete firstTime[id];
    // What runs again with the test file does not need another copy of the code.
    let rest = add(whileLoading, firstTime, 1);
    for (const file of files) rest = add(rest, coverage.perTest[loading(file)] ?? {}, -1);
    const ofModules = onlyHit(rest);
    const perTest: Record<string, Hits> = {};
    for (const { id, file } of outcomes) {
      const parts = [id, loading(file), around(file)].map((part) => coverage.perTest[part]);
      // A new test may notice whatever runs while the modules load.
      perTest[id] = parts.reduce<Hits>((sum, part = {}) => add(sum, part, 1), ofModules);
    }
    return { outcomes, hitCount: 0, coverage: { static: ofModules, perTest } };
  }

  /** Evaluates a file and what it imports, without a test. */
  async #load(file: string): Promise<void> {
    if (!this.#loaded.has(file)) await this.#start(file, []);
    this.#loaded.add(file);
  }

  #unload(): void {
    vi.resetModules();
    this.#loaded.clear();
  }

  async #run(files: readonly string[], tests?: readonly string[]): Promise<TestOutcome[]> {
    const outcomes: TestOutcome[] = [];
    this.#isOver = false;
    const lasted = (file: string) => this.#lasted.get(file) ?? 0;
    // Most mutants need only the quick ones.
    for (const file of files.toSorted((a, b) => lasted(a) - lasted(b))) {
      if (this.#isOver) break;
      mutants.currentTestId = mutants.activeMutant === undefined ? loading(file) : undefined;
      outcomes.push(...(await this.#start(file, tests)));
      mutants.currentTestId = undefined;
    }
    return outcomes;
  }

  async #start(filepath: string, testIds?: readonly string[]): Promise<TestOutcome[]> {
    const { evaluatedModules } = this.#state;
    this.#state.filepath = filepath;
    const module = evaluatedModules.getModuleById(filepath);
    if (module !== undefined)
      Object.assign(module, { promise: undefined, exports: undefined, evaluated: false });
    const begin = performance.now();
    const [file] = await startTests([{ filepath, ...(testIds && { testIds: [...testIds] }) }], this);
    this.#lasted.set(filepath, performance.now() - begin);
    vi.restoreAllMocks();
    return file === undefined ? [] : outcomesOf(file as unknown as Task);
  }

  get #state(): WorkerState {
    return (this as unknown as { workerState: WorkerState }).workerState;
  }
}

interface WorkerState {
  filepath: string;
  readonly evaluatedModules: { getModuleById(id: string): object | undefined };
}

/** Of the tests that ran; a file that fails without a test, such as while it loads, has one outcome. */
function outcomesOf(file: Task): TestOutcome[] {
  const outcomes = testsOf(file)
    .filter(({ result }) => result?.state === 'pass' || result?.state === 'fail')
    .map(outcomeOf);
  const isFailed = file.result?.state === 'fail' && outcomes.every(({ failure }) => failure === undefined);
  return isFailed ? [...outcomes, { ...outcomeOf(file), name: 'loads' }] : outcomes;
}

const testsOf = (task: Task): readonly Task[] =>
  task.tasks === undefined ? [task] : task.tasks.flatMap(testsOf);

const outcomeOf = ({ id, fullTestName = '', file, result }: Task): TestOutcome => ({
  ...{ id, name: fullTestName, file: file.filepath, milliseconds: result?.duration ?? 0 },
  ...(result?.state === 'fail' && { failure: result.errors?.[0]?.message ?? 'failed' }),
});

function add(hits: Hits, more: Hits, sign: 1 | -1): Hits {
  const sum = { ...hits };
  for (const [id, count] of Object.entries(more)) sum[id] = (sum[id] ?? 0) + sign * count;
  return sum;
}

const onlyHit = (hits: Hits): Hits =>
  Object.fromEntries(Object.entries(hits).filter(([, count]) => count > 0));
