/** `npm run execution-policy`: the least policies for CloudFormation, from the template of an environment. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OptionError, readFlags, runCommand } from '../command-line.ts';
import { executionPolicies } from './policy.ts';

const usage = `npm run execution-policy -- --account 111122223333 --region eu-west-1 \\
  --template cdk.out/payhooks-production.template.json --folder FOLDER

Writes the policies for \`cdk bootstrap --cloudformation-execution-policies\`, and prints their files.
`;
const text = { type: 'string', default: '' } as const;

async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, { account: text, region: text, template: text, folder: text });
  const { account, region, template, folder } = flags;
  if (
    !/^\d{12}$/.test(account) ||
    !/^[a-z]{2}(-[a-z]+)+-\d$/.test(region) ||
    template === '' ||
    folder === ''
  ) {
    throw new OptionError(
      `Given ${JSON.stringify(flags)}; expected the 12 digits of an account, and all others.`,
    );
  }
  const stackName = basename(template, '.template.json');
  const deployment = { stackName, account, region, template: JSON.parse(readFileSync(template, 'utf8')) };
  mkdirSync(folder, { recursive: true });
  for (const [index, policy] of executionPolicies(deployment).entries()) {
    const file = join(folder, `${stackName}-execution-${index + 1}.json`);
    writeFileSync(file, `${JSON.stringify(policy)}\n`);
    process.stdout.write(`${file}\n`);
  }
  return 0;
}

await runCommand(usage, main);
