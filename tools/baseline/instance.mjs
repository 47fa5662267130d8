/**
 * Stands for Lambda's runtime: loads one function in this process, invokes it with each event, and writes the
 * results and the CPU time of each step to file descriptor 3. What to do comes as JSON on standard input.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { file, events } = JSON.parse(readFileSync(0, 'utf8'));
const milliseconds = ({ user, system }) => (user + system) / 1000;
const context = {
  functionName: 'function',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:function',
  memoryLimitInMB: '512',
  awsRequestId: '8f507cfc-4697-4b07-ac75-a1f4b1e5b53e',
  getRemainingTimeInMillis: () => 10_000,
};

const start = process.cpuUsage();
const loaded = file.endsWith('.mjs')
  ? await import(pathToFileURL(file))
  : createRequire(import.meta.url)(file);
const loadMilliseconds = milliseconds(process.cpuUsage(start));
const calls = [];
for (const event of events) {
  const before = process.cpuUsage();
  const response = await loaded.handler(event, context);
  calls.push({ milliseconds: milliseconds(process.cpuUsage(before)), response });
}
const loadsUndici = process.moduleLoadList.some((name) => name.includes('undici/undici'));
writeFileSync(3, JSON.stringify({ loadMilliseconds, calls, loadsUndici }));
process.exit();
