/** What the package `payhooks` exports. */
export { PayhooksStack } from './payhooks-stack.ts';
