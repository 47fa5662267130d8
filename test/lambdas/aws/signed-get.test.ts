import { startService } from '@payhooks/payment-service/testing';
import { expect, it, vi } from 'vitest';
import { createSignedGet } from '../../../lambdas/aws/signed-get.ts';

/** The function's own identity. */
function stubIdentity() {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAFUNCTION');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  vi.stubEnv('AWS_REGION', 'eu-central-1');
}

it('a signed read names the identity of the function, the region and the service', async () => {
  stubIdentity();
  const { baseUrl, received } = await startService({ status: 200, json: { status: 'paid' } });
  const url = '/orders/2026-11-22T08%3A29%3A58.000Z%20id-3?mode=heartbeat';
  expect(JSON.parse(await createSignedGet('execute-api')(baseUrl + url))).toEqual({ status: 'paid' });
  const [request] = received;
  expect(request).toMatchObject({ method: 'GET', url });
  expect(request?.headers).toMatchObject({
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AKIAFUNCTION\/\d{8}\/eu-central-1\/execute-api\/aws4_request, /,
    ),
    'x-amz-security-token': 'session',
  });
});

it.each([403, 404, 500, 307])('a signed read rejects on a %i, without a second attempt', async (status) => {
  stubIdentity();
  const { baseUrl, received } = await startService({ status, json: {}, headers: { location: '/other' } });
  await expect(createSignedGet('sns')(baseUrl)).rejects.toThrow(`has the status ${status}; expected 200`);
  expect(received).toHaveLength(1);
});
