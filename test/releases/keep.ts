/**
 * Keeps what a release would deploy and the rows that it writes, for `test/releases/<version>`: run at every
 * release, as docs/deploy-test.md says. `node test/releases/keep.ts [FOLDER]`, where FOLDER is a checkout of the
 * release with its dependencies installed; without it, this one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '@payhooks/cdk-local';
import { privateKey, sandboxKey } from '../acceptance/target.ts';
import { keptSettings, type StoredAnswers, type StoredRows, toStored } from './kept-release.ts';
import { createQuestioning } from './questioning.ts';
import { runRelease } from './running-release.ts';

const root = join(import.meta.dirname, '..', '..');
const release = resolve(process.argv[2] ?? root);
const { version } = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8')) as { version: string };
const kept = join(import.meta.dirname, version);
if (existsSync(kept)) throw new Error(`${version} is kept already: a release that was made does not change.`);

const work = mkdtempSync(join(tmpdir(), 'payhooks-release-'));
try {
  const template = synthesise();
  const answers = await sendAndAsk(join(work, 'data'));
  const rows = await readRows(join(work, 'data', 'dynamodb'));
  mkdirSync(kept);
  for (const [name, content] of Object.entries({ template, answers, rows })) {
    writeFileSync(join(kept, `${name}.json`), JSON.stringify(content));
  }
  const biome = join(root, 'node_modules', '.bin', 'biome');
  execFileSync(biome, ['format', '--write', kept], { cwd: root, stdio: 'inherit' });
} finally {
  rmSync(work, { recursive: true, force: true });
}

function synthesise(): unknown {
  const cdk = join(release, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const assembly = join(work, 'assembly');
  const context = Object.entries(keptSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  execFileSync(process.execPath, [cdk, 'synth', '--quiet', '--output', assembly, ...context], {
    cwd: release,
    env: { ...process.env, CDK_DISABLE_VERSION_CHECK: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' },
    stdio: 'inherit',
  });
  const file = join(assembly, `payhooks-${keptSettings.environmentName}.template.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function sendAndAsk(dataDirectory: string): Promise<StoredAnswers> {
  const running = await runRelease({ folder: release, dataDirectory, privateKey, sandboxKey });
  const { sendEvents, askQuestions } = createQuestioning(running.baseUrl);
  try {
    await sendEvents();
    return await askQuestions();
  } finally {
    await running.stop();
  }
}

async function readRows(directory: string): Promise<StoredRows> {
  const emulator = await startDynamoDb(directory);
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
  const client = new DynamoDBClient({ endpoint: emulator.endpoint, region: 'us-east-1', credentials });
  const { TableNames = [] } = await client.send(new ListTablesCommand());
  const tables = await Promise.all(
    TableNames.map(async (TableName) => (await client.send(new ScanCommand({ TableName }))).Items ?? []),
  );
  client.destroy();
  await emulator.close();
  const all = tables.flat().map(toStored);
  const keyed = (key: string) =>
    all
      .filter((item) => key in item)
      .toSorted((one, other) => JSON.stringify(one[key]).localeCompare(JSON.stringify(other[key])));
  return { events: keyed('event_key'), orders: keyed('order_key') };
}
