import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const standard = synthesise();
const provisioned = synthesise({ verifierReservedConcurrency: '20', verifierProvisionedConcurrency: 2 });
const reservedIn = ({ propertiesOf }: typeof standard) =>
  propertiesOf('AWS::Lambda::Function').flatMap((one) => one['ReservedConcurrentExecutions'] ?? []);

describe('the concurrency of the verifier', () => {
  it('is reserved by a setting, and that of no other function', () => {
    expect(provisioned.at('Verifier/Function/Lambda').Properties['ReservedConcurrentExecutions']).toBe(20);
    expect(reservedIn(provisioned)).toEqual([20]);
    expect(reservedIn(standard)).toEqual([]);
  });

  it('is kept ready behind an alias, to which webhooks go and which only the API may invoke', () => {
    const alias = provisioned.idAt('Verifier/Function/Alias');
    expect(provisioned.only('AWS::Lambda::Alias').Properties).toMatchObject({
      FunctionName: { Ref: provisioned.idAt('Verifier/Function/Lambda') },
      ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 2 },
    });
    const integration = provisioned.at('Verifier/Endpoint/Webhook/Integration').Properties;
    expect(integration['IntegrationUri']).toEqual({ Ref: alias });
    const permitted = provisioned
      .propertiesOf('AWS::Lambda::Permission')
      .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes('VerifierFunction'));
    expect(permitted).toMatchObject([
      { FunctionName: { Ref: alias }, Principal: 'apigateway.amazonaws.com' },
    ]);
  });

  it.each([
    ['on', provisioned],
    ['off', standard],
  ])('is turned %s without a webhook that API Gateway may not pass on', (_, { at, idAt }) => {
    const { DependsOn } = at('Verifier/Endpoint/Webhook/Integration');
    expect(DependsOn).toEqual([idAt('Verifier/Endpoint/Webhook/Integration-Permission')]);
  });
});
