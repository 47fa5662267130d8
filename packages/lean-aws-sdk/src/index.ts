import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/** Makes the clients of AWS in a bundle lean; the README says what is lost. */
export const leanAwsSdk = (): Plugin => ({
  name: 'lean-aws-sdk',
  setup({ initialOptions }) {
    const { alias, define } = leanAwsSdkOptions();
    initialOptions.alias = { ...alias, ...initialOptions.alias };
    initialOptions.define = { ...define, ...initialOptions.define };
  },
});

/** The same for `buildSync`, which takes no plugins, and for CDK's `esbuildArgs`. */
export const leanAwsSdkOptions = () =>
  ({
    alias: {
      ...Object.fromEntries(clients.map(([name]) => [`@aws-sdk/${name}`, part(`${name}.js`)])),
      // One file of it: with its index come settings from files.
      '@aws-sdk/core/httpAuthSchemes': join(modules, sigV4),
      '@smithy/core/endpoints': part('endpoints.js'),
      '@smithy/core/event-streams': part('event-streams.js'),
      '@smithy/core/protocols': part('protocols.js'),
      '@smithy/node-http-handler': part('http-handler.js'),
      'whole-sdk': modules,
    },
    define: findServices(),
  }) satisfies BuildOptions;

/** In place of a chain of seven providers, for a bundle that has the SDK's own clients. */
export const environmentCredentials = { '@aws-sdk/credential-provider-node': part('credentials.js') };

const clients = [
  ['client-dynamodb', 'DynamoDBClient'],
  ['client-eventbridge', 'EventBridgeClient'],
  ['client-secrets-manager', 'SecretsManagerClient'],
  ['client-sqs', 'SQSClient'],
] as const;

const sigV4 = '@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/AwsSdkSigV4Signer.js';
const require = createRequire(import.meta.url);
const modules = join(require.resolve('@aws-sdk/client-sqs/package.json'), '../../..');

/** One of each partition; any other is of the last one. Those of a partition begin alike. */
const regions = [
  ...['cn-north-1', 'us-gov-west-1', 'us-iso-east-1', 'us-isob-east-1', 'us-isof-south-1'],
  ...['eu-isoe-west-1', 'eusc-de-east-1', 'us-east-1'],
];

/** What the lean clients know of their services, from the SDK's own: `LEAN_CLIENT_SQS` in `client-sqs.js`. */
let services: Readonly<Record<string, string>> | undefined;
function findServices() {
  services ??= Object.fromEntries(
    clients.map(([name, Client]) => {
      const { config } = new (require(`@aws-sdk/${name}`)[Client])({ region: 'us-east-1' });
      const { serviceId: id, defaultSigningName: signingName, protocolSettings } = config;
      const hostOf = (Region: string, UseFIPS = false, UseDualStack = false) => {
        const { host } = config.endpointProvider({ Region, UseFIPS, UseDualStack }).url;
        return host.replace(signingName, '').replace(Region, '*');
      };
      // In each partition, by the rules of the SDK: usual, with FIPS, with dual stack, with both.
      const hosts = regions.map((region) => [
        ...[region.replace(/(^us-)?[a-z]+-\d$/, ''), hostOf(region), hostOf(region, true)],
        ...[hostOf(region, false, true), hostOf(region, true, true)],
      ]);
      const { defaultNamespace, serviceTarget, awsQueryCompatible } = protocolSettings;
      const service = {
        ...{ id, signingName, hosts },
        version: require(`@aws-sdk/${name}/package.json`).version,
        settings: { defaultNamespace, serviceTarget, awsQueryCompatible },
      };
      // As a text: esbuild makes a module of an object, which every other module would then load.
      const text = JSON.stringify(JSON.stringify(service));
      return [`LEAN_${name.replaceAll('-', '_').toUpperCase()}`, text];
    }),
  );
  return services;
}

function part(file: string): string {
  return join(import.meta.dirname, 'parts', file);
}
