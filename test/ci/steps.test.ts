import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** A script as `.ci/run` is one: it ends at the first command that fails, except in its checks. */
function run(script: string) {
  const text = `set -euo pipefail\n. .ci/steps\n${script}`;
  const env = { ...process.env, LC_ALL: 'C' };
  const cwd = join(import.meta.dirname, '../..');
  const { status, stdout, stderr } = spawnSync('bash', ['-c', text], { cwd, encoding: 'utf8', env });
  return {
    status,
    printed: stdout,
    failed: stderr.split('\n').filter((line) => line.startsWith('Failed: ')),
  };
}

it('every step of .ci/run runs, and those that fail are listed at the end, with jobs that ended early', () => {
  const { status, printed, failed } = run(`
    computes() { check 'one of the job' false; check 'pipe of the job' pipe; check last true; }
    pipe() { false | cat; }
    ends() { exit 3; }
    check first bash -c 'echo why; exit 1'
    start_job computes
    check second true
    await_job computes
    start_job ends
    await_job ends
    report_failures`);
  expect([status, failed]).toEqual([
    1,
    ['Failed: first', 'Failed: one of the job', 'Failed: pipe of the job', 'Failed: the job ends'],
  ]);
  expect(printed).toContain('== the end of: first\nwhy\n');
});

it('a run that ends early keeps its results until the processes of its jobs have ended', () => {
  const { status, failed } = run(`
    exec 3>&2
    job() { bash -c 'trap "sleep 0.5; ls $0/job.txt >/dev/null && echo Failed: ended by itself >&3; exit" TERM
      touch $0/ready; while :; do sleep 0.1; done' "$results"; }
    start_job job
    until [ -e "$results/ready" ]; do sleep 0.1; done
    exit 4`);
  expect([status, failed]).toEqual([4, ['Failed: ended by itself']]);
});
