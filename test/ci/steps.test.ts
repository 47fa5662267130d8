import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A script as `.ci/run` is one: it ends at the first command that fails, except in its checks. */
function run(script: string) {
  const text = `set -euo pipefail\n. .ci/steps\n${script}`;
  const env = { ...process.env, LC_ALL: 'C' };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', text], { cwd: root, encoding: 'utf8', env });
  // Without what `tail` says on a machine that has no inotify left.
  return { status, stdout, failed: stderr.split('\n').filter((line) => line.startsWith('Failed: ')) };
}

describe('the steps of .ci/run', () => {
  it('all run, and those that fail are listed at the end', () => {
    const ended = run(`
      computes() { check 'one of the job' false; check 'pipe of the job' pipe; check 'last of the job' echo last; }
      pipe() { false | cat; }
      check first false
      start_job computes
      check second echo done
      await_job computes
      report_failures
      echo unreachable`);
    expect(ended).toEqual({
      status: 1,
      stdout:
        '\n== first\n\n== second\ndone\n\n== one of the job\n\n== pipe of the job\n\n== last of the job\nlast\n',
      failed: ['Failed: first', 'Failed: one of the job', 'Failed: pipe of the job'],
    });
  });

  it('end without an error when none has failed', () => {
    const script = 'job() { check one true; }; start_job job; await_job job; report_failures; echo end';
    expect(run(script)).toEqual({ status: 0, stdout: '\n== one\nend\n', failed: [] });
  });

  it('fail with a job that ends before its last step', () => {
    const { status, failed } = run('job() { exit 3; }; start_job job; await_job job; report_failures');
    expect([status, failed]).toEqual([1, ['Failed: the job job']]);
  });

  it('wait for no other process group, and for no process that has ended', () => {
    const listed = "ps() { printf '   12 Zs\\n   12 Z\\n  345 S+\\n 3456 Rs\\n'; }";
    const { stdout } = run(
      `${listed}; for group in 12 34 345 3456; do is_running $group && echo $group; done; true`,
    );
    expect(stdout).toBe('345\n3456\n');
  });

  it('leave no process of a job and no folder behind, however they end', () => {
    // The process takes its time after the signal, as one does that stops local mode; its folder is still there.
    const { status, stdout } = run(`
      exec 3>&1
      export results
      job() { bash -c 'trap "sleep 0.2; ls -d $results >&3; exit" TERM; echo ready; sleep 600 & wait'; }
      start_job job
      until grep -q ready "$results/job.txt"; do sleep 0.05; done
      echo "$results"
      exit 7`);
    const [results = '', ...rest] = stdout.trim().split('\n');
    expect([status, rest]).toEqual([7, [results]]);
    expect([results.startsWith('/'), existsSync(results)]).toEqual([true, false]);
  });
});
