import { outputOf, stackOptionOf } from '../../operator/stack/stack.ts';
import type { StackInfo } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';

/** What the server itself knows of what it shows. */
export type OwnState = Pick<StackInfo, 'build' | 'console_id' | 'laboratory'>;

/** Where nothing shows whether stored data has changed. */
const tickMilliseconds = 10_000;

export function stackRoute({ stack, log }: ConsoleContext, ownState: () => Promise<OwnState>): ConsoleRoute {
  // Not from 0: a page that was open before a restart notices that as well.
  let changes = Date.now();
  log?.subscribe(() => {
    changes += 1;
  });
  return {
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
        ...(await ownState()),
        changes: log === undefined ? Math.floor(Date.now() / tickMilliseconds) : changes,
        stack_option: stackOptionOf(found),
      };
    },
  };
}
