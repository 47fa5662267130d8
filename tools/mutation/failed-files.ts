import type { Reporter, TestModule } from 'vitest/node';

/** What this reporter reads and adds in vitest's own tree of a file. */
interface Task {
  readonly type: string;
  readonly name: string;
  readonly mode?: string;
  readonly meta?: object;
  readonly file?: unknown;
  readonly tasks?: Task[];
  readonly result?: { readonly state?: string };
}

const failed = ({ result }: Task): boolean => result?.state === 'fail';

const hasFailedTest = ({ tasks = [] }: Task): boolean =>
  tasks.some((task) => (task.type === 'suite' ? hasFailedTest(task) : failed(task)));

/**
 * Stryker looks at tests only, so that a mutant with which a file does not load, or fails in a hook, would
 * pass for one that survived. A file that failed without a failed test gets one.
 */
export class FailedFiles implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const { task: file } = module as unknown as { readonly task: Task };
    if (!failed(file) || hasFailedTest(file)) return;
    const { result } = file;
    file.tasks?.push({ type: 'test', name: 'loads', mode: 'run', meta: {}, file, ...(result && { result }) });
  }
}
