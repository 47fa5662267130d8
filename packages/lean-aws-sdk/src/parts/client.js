/**
 * A client for one service of AWS, of the SDK's own parts for its protocol, signatures and attempts, without
 * what a Lambda function does not use: settings from files, rules that find an endpoint again for each
 * command, the choice between kinds of signatures, and the adaptive mode of attempts.
 */
import { platform, release } from 'node:os';
import { AwsSdkSigV4Signer } from '@aws-sdk/core/httpAuthSchemes';
import { getHttpSigningPlugin } from '@smithy/core';
import { Client, constructStack, getSmithyContext, NoOpLogger, normalizeProvider } from '@smithy/core/client';
import { getContentLengthPlugin } from '@smithy/core/protocols';
import { getRetryPlugin, StandardRetryStrategy } from '@smithy/core/retry';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { calculateBodyLength, fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from './checksum.js';
import { defaultProvider } from './credentials.js';

/**
 * @param description what `index.ts` takes from the SDK, as JSON
 * @param parts the protocol and what it needs; `maxAttempts` and `retryDelay`, in milliseconds, if not usual
 */
export function clientOf(description, { protocol, maxAttempts: attempts = 3, retryDelay, ...parts }) {
  const service = JSON.parse(description);
  return class extends Client {
    constructor(options = {}) {
      const { maxAttempts = attempts, credentials = defaultProvider() } = options;
      const strategy = new StandardRetryStrategy({ maxAttempts, baseDelay: retryDelay });
      // The region of another client's configuration is a function.
      const region = normalizeProvider(options.region ?? process.env.AWS_REGION);
      const signer = new SignatureV4({ service: service.signingName, region, credentials, sha256: Sha256 });
      super({
        ...{ base64Decoder: fromBase64, base64Encoder: toBase64, utf8Decoder: fromUtf8, utf8Encoder: toUtf8 },
        ...{ bodyLengthChecker: calculateBodyLength, logger: new NoOpLogger() },
        ...{ protocol, protocolSettings: { ...service.settings, ...parts } },
        ...options,
        region,
        signer: async () => signer,
        systemClockOffset: 0,
        maxAttempts: async () => maxAttempts,
        retryStrategy: async () => strategy,
        requestHandler: options.requestHandler?.handle
          ? options.requestHandler
          : new NodeHttpHandler(options.requestHandler),
      });
      const { config, middlewareStack } = this;
      const plugins = [getSchemaSerdePlugin, getRetryPlugin, getContentLengthPlugin, getHttpSigningPlugin];
      for (const plugin of plugins) middlewareStack.use(plugin(config));
      middlewareStack.addRelativeTo(addressed(service, config), addressedOptions);
      middlewareStack.add(headed(service), { name: 'headed', step: 'build', priority: 'low' });
    }

    chains = new Map();

    /** The SDK puts the middleware in order again for each call; here that is done once for each command. */
    async send(command, options) {
      const { constructor: Command } = command;
      const concat = (own) => ({
        resolve: (handler, context) => {
          if (!this.chains.has(Command)) this.chains.set(Command, chainOf(this.middlewareStack.concat(own)));
          return this.chains.get(Command).reduce((next, middleware) => middleware(next, context), handler);
        },
      });
      return (await command.resolveMiddleware({ concat }, this.config, options)(command)).output;
    }
  };
}

/** The middleware of a stack, innermost first. */
function chainOf(stack) {
  const chain = [];
  const note = ({ middleware, ...entry }) => ({ ...entry, middleware: () => void chain.push(middleware) });
  const noted = constructStack();
  stack.applyToStack({
    add: (middleware, entry) => noted.add(middleware, note(entry)),
    addRelativeTo: (middleware, entry) => noted.addRelativeTo(middleware, note(entry)),
  });
  noted.resolve();
  return chain;
}

/** Under this name the check of queue URLs finds it. */
const addressedOptions = {
  ...{ name: 'endpointV2Middleware', step: 'serialize', override: true },
  ...{ relation: 'before', toMiddleware: 'serializerMiddleware' },
};

/** Gives a request its address, which is the same for all of a client, and what signs it. */
function addressed(service, config) {
  const signer = new AwsSdkSigV4Signer();
  let url;
  return (next, context) =>
    async function sendAddressed(args) {
      url ??= new URL(await endpointOf(service, config));
      context.endpointV2 = { url, properties: {} };
      getSmithyContext(context).selectedHttpAuthScheme = {
        httpAuthOption: { signingProperties: { config, context } },
        identity: undefined,
        signer,
      };
      return next(args);
    };
}

/** The address of a service: the one that is configured, or else that of its region. */
async function endpointOf({ id, signingName, hosts }, config) {
  const { env } = process;
  const isFips = config.useFipsEndpoint ?? env.AWS_USE_FIPS_ENDPOINT === 'true';
  const isDualStack = config.useDualstackEndpoint ?? env.AWS_USE_DUALSTACK_ENDPOINT === 'true';
  const configured = config.endpoint ?? endpointOfEnvironment(id);
  if (configured && (isFips || isDualStack)) {
    const setting = isFips ? 'FIPS' : 'Dualstack';
    throw new Error(`Invalid Configuration: ${setting} and custom endpoint are not supported`);
  }
  if (configured) return configured;
  const region = await config.region();
  if (!region) throw new Error('AWS_REGION is not in the environment.');
  const [, ...ends] = hosts.find(([start]) => region.startsWith(start));
  const end = ends[(isFips ? 1 : 0) + (isDualStack ? 2 : 0)];
  return `https://${signingName}${end.replace('*', region)}`;
}

function endpointOfEnvironment(id) {
  const { env } = process;
  if (env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true') return undefined;
  return env[`AWS_ENDPOINT_URL_${id.replaceAll(' ', '_').toUpperCase()}`] || env.AWS_ENDPOINT_URL;
}

/** Names the host, because it is signed, the trace that the invocation belongs to, and the SDK. */
function headed({ id, version }) {
  const { AWS_EXECUTION_ENV: runtime, AWS_SDK_UA_APP_ID: application } = process.env;
  const sdk = `aws-sdk-js/${version}`;
  const userAgent = [
    ...[sdk, 'ua/2.1', `os/${platform()}#${release()}`, 'lang/js', `md/nodejs#${process.versions.node}`],
    `api/${id.replaceAll(' ', '-').toLowerCase()}#${version}`,
    // `E` is the standard mode of attempts.
    ...[runtime && `exec-env/${runtime}`, 'm/E', application && `app/${application}`],
  ];
  const named = { 'user-agent': userAgent.filter(Boolean).join(' '), 'x-amz-user-agent': sdk };
  return (next) =>
    async function sendHeaded(args) {
      const { headers, hostname, port } = args.request;
      headers.host = port === undefined ? hostname : `${hostname}:${port}`;
      const trace = process.env._X_AMZN_TRACE_ID;
      Object.assign(headers, named, trace && { 'X-Amzn-Trace-Id': trace });
      return next(args);
    };
}
