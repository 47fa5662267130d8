import { startService } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { createDeadMansSwitch } from '../../../lambdas/heartbeat-return/dead-mans-switch.ts';

/** As SNS responds to GetTopicAttributes. */
const attributes = (confirmed: number) =>
  '<GetTopicAttributesResponse><GetTopicAttributesResult><Attributes>\n' +
  '<entry>\n  <key>SubscriptionsPending</key>\n  <value>3</value>\n</entry>\n' +
  `<entry>\n  <key>SubscriptionsConfirmed</key>\n  <value>${confirmed}</value>\n</entry>\n` +
  '</Attributes></GetTopicAttributesResult></GetTopicAttributesResponse>';
const topicWith = (confirmed: number) => ({ url: 'https://sns', get: async () => attributes(confirmed) });

describe("the dead man's switch", () => {
  it.each([
    ['an existing alarm topic, which is not checked', undefined],
    ['a confirmed subscription of the alarm topic', topicWith(1)],
  ])('is called with %s', async (_, topic) => {
    const { baseUrl, received } = await startService({ status: 200, json: {} });
    await createDeadMansSwitch({ url: `${baseUrl}/ping/secret`, topic })();
    expect(received).toMatchObject([{ method: 'GET', url: '/ping/secret' }]);
  });

  it('is not called while the alarm topic has no confirmed subscription', async () => {
    const { baseUrl, received } = await startService({ status: 200, json: {} });
    const call = createDeadMansSwitch({ url: baseUrl, topic: topicWith(0) });
    await expect(call()).rejects.toThrow('no confirmed subscription');
    expect(received).toEqual([]);
  });

  it('is not called when the attributes of the alarm topic cannot be read', async () => {
    const { baseUrl, received } = await startService({ status: 200, json: {} });
    const get = () => Promise.reject(new Error('AccessDenied'));
    await expect(createDeadMansSwitch({ url: baseUrl, topic: { url: '', get } })()).rejects.toThrow();
    expect(received).toEqual([]);
  });

  it('rejects when its address does not respond 2xx, and the message does not hold the address', async () => {
    const { baseUrl } = await startService({ status: 404, json: {} });
    const failed = createDeadMansSwitch({ url: `${baseUrl}/ping/secret`, topic: undefined })();
    await expect(failed).rejects.toThrow(/^deadMansSwitchUrl responded 404; expected 2xx\.$/);
  });
});
