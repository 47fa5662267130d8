/** What the package `payhooks` exports. */
export { type GrantOperateOptions, type OnOrderStatusChangedOptions, Payhooks } from './payhooks.ts';
export type { PayhooksDomain, PayhooksProps } from './payhooks-props.ts';
