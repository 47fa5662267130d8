/**
 * What the replaced clients of the SDK have in common: its own parts for the protocol, signatures, attempts
 * and connections, put together for one service without what no stage uses. That is the rules that find an
 * endpoint, settings from files, the user agent, and the adaptive mode of attempts.
 */
import { AwsSdkSigV4Signer } from '@aws-sdk/core/httpAuthSchemes';
import { getHttpSigningPlugin } from '@smithy/core';
import { Client, Command, getSmithyContext, NoOpLogger, normalizeProvider } from '@smithy/core/client';
import { getContentLengthPlugin } from '@smithy/core/protocols';
import { getRetryPlugin, StandardRetryStrategy } from '@smithy/core/retry';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { calculateBodyLength, fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from './checksum.js';
import { endpointOf } from './endpoints.js';
import { defaultProvider } from './environment-credentials.ts';

/**
 * @param service `id` as in variables of the environment, `prefix` of its host names, which is also its name
 *   in signatures, `protocol` and its settings, and `retryDelay`, in milliseconds, if not the SDK's own
 */
export function clientOf(service) {
  return class extends Client {
    constructor(options = {}) {
      const { maxAttempts = 3, credentials = defaultProvider() } = options;
      const strategy = new StandardRetryStrategy({ maxAttempts, baseDelay: service.retryDelay });
      // The region of another client's configuration is a function.
      const region = normalizeProvider(options.region ?? (async () => process.env.AWS_REGION));
      const signer = new SignatureV4({ service: service.prefix, region, credentials, sha256: Sha256 });
      super({
        ...{ base64Decoder: fromBase64, base64Encoder: toBase64, utf8Decoder: fromUtf8, utf8Encoder: toUtf8 },
        ...{ streamCollector, bodyLengthChecker: calculateBodyLength, logger: new NoOpLogger() },
        ...{ protocol: service.protocol, protocolSettings: settingsOf(service) },
        ...options,
        region,
        signer: async () => signer,
        systemClockOffset: 0,
        maxAttempts: async () => maxAttempts,
        retryStrategy: async () => strategy,
        requestHandler: NodeHttpHandler.create(options.requestHandler),
      });
      const { config, middlewareStack } = this;
      for (const plugin of [
        getSchemaSerdePlugin,
        getRetryPlugin,
        getContentLengthPlugin,
        getHttpSigningPlugin,
      ])
        middlewareStack.use(plugin(config));
      middlewareStack.addRelativeTo(addressed(service, config), addressedOptions);
      middlewareStack.add(headed, { name: 'headed', step: 'build', priority: 'low' });
    }
  };
}

const settingsOf = ({ id, errorTypeRegistries, serviceTarget, settings }) => ({
  defaultNamespace: `com.amazonaws.${id.replaceAll(' ', '').toLowerCase()}`,
  ...{ errorTypeRegistries, serviceTarget, ...settings },
});

/** Under this name the check of queue URLs finds it. */
const addressedOptions = {
  ...{ name: 'endpointV2Middleware', step: 'serialize', override: true },
  ...{ relation: 'before', toMiddleware: 'serializerMiddleware' },
};

/** Gives a request its address, and what signs it. */
function addressed(service, config) {
  const signer = new AwsSdkSigV4Signer();
  return (next, context) =>
    async function sendAddressed(args) {
      context.endpointV2 = { url: new URL(await endpointOf(service, config)), properties: {} };
      getSmithyContext(context).selectedHttpAuthScheme = {
        httpAuthOption: { signingProperties: { config, context } },
        identity: undefined,
        signer,
      };
      return next(args);
    };
}

/** Names the host, because it is signed, and the trace that the invocation belongs to. */
const headed = (next) =>
  async function sendHeaded(args) {
    const { headers, hostname, port } = args.request;
    headers.host = port === undefined ? hostname : `${hostname}:${port}`;
    const trace = process.env._X_AMZN_TRACE_ID;
    if (trace) headers['X-Amzn-Trace-Id'] = trace;
    return next(args);
  };

/** The class of a command; `plugins` makes a list of its own middleware from the configuration. */
export function commandOf(operation, plugins = () => []) {
  const [, , name] = operation;
  return Command.classBuilder()
    .m((_command, _stack, config) => plugins(config))
    .s('', name)
    .n('', `${name}Command`)
    .sc(operation)
    .build();
}
