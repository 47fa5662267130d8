import { everySetting } from '../every-setting.ts';

/** The stack that has every alarm. It admits few requests at once, so that a test can send more. */
export const completeSettings = { ...everySetting, webhookRequestsPerSecond: 25, webhookBurst: 25 };
