import { everySetting } from '../every-setting.ts';

/**
 * The stack that has every alarm, with as few log lines as by default. It admits few requests at once, so that
 * a test can send more.
 */
export const completeSettings = {
  ...everySetting,
  logLevel: 'warn',
  webhookRequestsPerSecond: 25,
  webhookBurst: 25,
};
