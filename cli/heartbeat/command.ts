import { writeClientCertificate } from '../../lambdas/contract/client-certificate.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { readCertificateFiles } from '../client-certificate.ts';
import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

interface CertificateOptions extends CommonOptions {
  readonly certificate: string;
  readonly key: string;
}

export function define({ command: heartbeat, action }: CommandSetup): void {
  heartbeat
    .command('certificate')
    .description('Store the client certificate for mutual TLS (asks before it replaces one)')
    .requiredOption(
      '--certificate <file>',
      'a certificate in PEM with its chain, which the trust store accepts',
    )
    .requiredOption('--key <file>', 'its private key in PEM, without a passphrase')
    .addOption(yesOption)
    .addHelpText(
      'after',
      examplesOf(
        'heartbeat certificate --certificate client.pem --key client.key --stack payhooks-production',
      ),
    )
    .action(action(storeCertificate));
}

async function storeCertificate(session: Session, options: CertificateOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  const stack = await session.stack(options);
  const secretArn = stack.outputs['HeartbeatCertificateArn'];
  if (secretArn === undefined) {
    const reason = 'its endpoint requires no client certificate (webhookTruststoreUri is not set)';
    throw new CommandError('failed', `${stack.name} has no secret for one: ${reason}.`);
  }
  const given = await readCertificateFiles(options.certificate, options.key);
  const { openSecret } = await import('../../operator/aws/versioned-secret.ts');
  const secret = openSecret(stack, secretArn);
  const former = await secret.read();
  if (former?.text) await input.confirm(`Replace the client certificate of ${stack.name}?`, options);
  await secret.replace(former, writeClientCertificate(given));
  const sentence =
    'The client certificate is stored; a heartbeat that was refused reads it at its next turn.';
  return show(session, options, {
    document: { stored: true },
    print: () => terminal.print(sentence),
  });
}
