import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, it, vi } from 'vitest';
import { serviceOptions } from '../../operator/aws/client-options.ts';
import { describeDeployed } from '../../operator/aws/deployed-resources.ts';
import { findLocalMode } from '../../operator/stack/local-mode.ts';
import { startProcess } from './local-process.ts';

it('no function and no part of local mode uses what Node has deprecated, or is about to deprecate', async () => {
  vi.stubEnv('NODE_OPTIONS', '--pending-deprecation');
  const { baseUrl, output } = await startProcess('--port', '0', '--service-port', '0');
  // The demo sends events of every kind, and the audit comes last, after every function but one has run.
  await expect.poll(output).toMatch(/deliveries reconciled/);
  const stack = await findLocalMode(baseUrl);
  const { resources } = await describeDeployed(stack);
  // It runs every three minutes.
  const counter = resources.find(({ logicalId }) => /^WaitingCountFunctionLambda/.test(logicalId));
  const invoke = new InvokeCommand({ FunctionName: counter?.physicalId });
  await new LambdaClient(serviceOptions(stack, 'lambda')).send(invoke);
  await expect.poll(output).toMatch(/ALARM/);
  expect(output()).not.toMatch(/deprecat/i);
});
