import { outputOf, stackOptionOf } from '../../operator/stack/stack.ts';
import type { LiveHello, StackInfo } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';

export interface StackParts {
  readonly hello: () => Promise<LiveHello>;
  readonly hasLaboratory: boolean;
}

export const stackRoute = ({ stack }: ConsoleContext, parts: StackParts): ConsoleRoute => ({
  method: 'GET',
  path: '/console/api/stack',
  async handle(): Promise<StackInfo> {
    const found = await stack();
    const [, , , , account = ''] = outputOf(found, 'OrderQueryInvokeArn').split(':');
    return {
      name: found.name,
      kind: found.localUrl === undefined ? 'aws' : 'local',
      region: found.region,
      account,
      webhook_url: outputOf(found, 'WebhookUrl'),
      signature_header: outputOf(found, 'SignatureHeader'),
      ...(await parts.hello()),
      laboratory: parts.hasLaboratory,
      stack_option: stackOptionOf(found),
    };
  },
});
