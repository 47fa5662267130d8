// Adds up the JSON reports of vitest and prints one line. Fails when a suite ran no test, or skipped one.
const { readFileSync } = require('node:fs');

const totals = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  if (report.numTotalTests === 0) throw new Error(`${file} reports no test.`);
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.skipped += report.numPendingTests + report.numTodoTests;
}
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
if (totals.failed + totals.skipped > 0) process.exit(1);
