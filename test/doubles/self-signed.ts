import { generateKeyPairSync, sign } from 'node:crypto';

/** A new private key and a certificate of its own, both in PEM, which Node's TLS takes. */
export function selfSigned(): { readonly certificate: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const noName = der(0x30);
  const validity = der(
    0x30,
    der(0x17, Buffer.from('260101000000Z')),
    der(0x17, Buffer.from('460101000000Z')),
  );
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const content = der(0x30, version, serial, algorithm, noName, validity, noName, spki);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const lines =
    der(0x30, content, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A value in DER: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengths = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...lengths]), content]);
}
