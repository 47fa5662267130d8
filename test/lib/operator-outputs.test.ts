import { describe, expect, it } from 'vitest';
import { type Synthesis, synthesise } from './synthesis.ts';

const paymentServiceBaseUrl = 'https://pay.example.com';
const standard = synthesise();
const audited = synthesise({ paymentServiceBaseUrl });
const withToken = synthesise({ paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' });

const outputOf = (stack: Synthesis, name: string): unknown => stack.outputs[name]?.Value;

describe('the outputs of the stack', () => {
  it('hold the settings that the CLI reads', () => {
    expect(outputOf(audited, 'PaymentServiceBaseUrl')).toBe('https://pay.example.com');
    expect(outputOf(audited, 'SignatureHeader')).toBe('x-service-signature');
    expect(outputOf(audited, 'RequiredEvents')).toBe('transaction.paid,transaction.refunded');
  });

  it.each([
    ['KeySecretArn', 'Verifier/KeySecret'],
    ['OperationsLogGroup', 'Operations/Function/Logs'],
    ['TokenSecretArn', 'TokenRefresh/TokenSecret'],
    ['TokenRefreshLogGroup', 'TokenRefresh/Function/Logs'],
    ['WaitingCountLogGroup', 'WaitingCount/Function/Logs'],
    ['WebhookAuditLogGroup', 'WebhookAudit/Function/Logs'],
  ])('include %s, which names %s', (name, path) => {
    expect(withToken.pathOf(outputOf(withToken, name))).toBe(path);
  });

  it('omit what the settings do not deploy', () => {
    const audit = ['PaymentServiceBaseUrl', 'WebhookAuditLogGroup'];
    const token = ['TokenSecretArn', 'TokenRefreshLogGroup'];
    const missingFrom = ({ outputs }: Synthesis) =>
      [...audit, ...token].filter((name) => outputs[name] === undefined);
    expect(missingFrom(standard)).toEqual([...audit, ...token]);
    expect(missingFrom(audited)).toEqual(token);
    expect(missingFrom(withToken)).toEqual([]);
  });

  it('show the webhook URL at the address of the API', () => {
    const url = JSON.stringify(outputOf(standard, 'WebhookUrl'));
    expect(url).toMatch(/VerifierEndpointApi.*ApiEndpoint.*"\/webhooks\/payments"/);
  });

  it('show the command that stores the private key, without the key in it', () => {
    expect(outputOf(standard, 'PutPrivateKey')).toBe('npx payhooks keys set --stack payhooks-production');
  });

  it('show the command that registers the webhook, or the dashboard when the service is unknown', () => {
    expect(outputOf(audited, 'RegisterWebhook')).toBe(
      'npx payhooks webhooks register --stack payhooks-production',
    );
    expect(JSON.stringify(outputOf(standard, 'RegisterWebhook'))).toMatch(
      /Register .*VerifierEndpointApi.* in the payment service's dashboard, for the events transaction.paid and /,
    );
  });
});
