import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { defaultCredentials } from '@payhooks/order-client';
import { AwsV4Signer } from 'aws4fetch';
import { reasonOf } from '../explain-error.ts';
import { awsRequestMilliseconds } from '../limits.ts';
import { CommandError } from '../operator-error.ts';
import { awsClientOptions } from './client-options.ts';

/** The region of the environment or the profile. */
export const defaultRegion = (): Promise<string> =>
  new CloudFormationClient(awsClientOptions).config.region();

export interface Identity {
  readonly account: string;
  readonly arn: string;
}

/** Whose credentials these are; every identity may ask. One request needs no further client of the SDK. */
export async function readIdentity(region: string): Promise<Identity> {
  const { AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL } = process.env;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = AWS_ENDPOINT_URL_STS || AWS_ENDPOINT_URL || `https://sts.${region}.${domain}/`;
  const body = 'Action=GetCallerIdentity&Version=2011-06-15';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const credentials = await defaultCredentials();
  const signer = new AwsV4Signer({
    ...credentials,
    url,
    method: 'POST',
    body,
    headers,
    service: 'sts',
    region,
  });
  const signed = await signer.sign();
  const signal = AbortSignal.timeout(awsRequestMilliseconds);
  const response = await fetch(signed.url, { method: 'POST', body, headers: signed.headers, signal }).catch(
    (cause: unknown) => {
      const message = `AWS could not be reached at ${url} (${reasonOf(cause)}).`;
      throw new CommandError('unreachable', message, { cause });
    },
  );
  const text = await response.text();
  const textOf = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  const [account, arn] = [textOf('Account'), textOf('Arn')];
  if (account !== undefined && arn !== undefined) return { account, arn };
  const why = `${textOf('Code') ?? response.status}: ${textOf('Message') ?? 'no reason given'}`;
  throw new CommandError('refused', `AWS refused the credentials (${why}).`);
}

/** How many functions of the account may run at once in a region. */
export async function readConcurrency(): Promise<number> {
  const client = new LambdaClient(awsClientOptions);
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  return AccountLimit?.ConcurrentExecutions ?? 0;
}
