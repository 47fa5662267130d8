/** A text or bytes that somebody may have taken for the key. */
export interface KeyForm {
  readonly bytes: Buffer;
  readonly says: string;
}

export function keyForms(key: string): readonly KeyForm[] {
  const bare = key.replace(/^pri_(sandbox_)?/, '');
  const forms: readonly (readonly [string | Buffer, string])[] = [
    [`${key}\n`, 'with a line end behind it, as a file has'],
    [`${key}\r\n`, 'with CR LF behind it, as a file has'],
    [`${key} `, 'with a space behind it'],
    [`"${key}"`, 'in quotation marks'],
    [`'${key}'`, 'in quotation marks'],
    [`${key}:`, 'with the colon of the Basic credential'],
    [Buffer.from(key).toString('base64'), 'encoded as base64'],
    [Buffer.from(`${key}:`).toString('base64'), 'as the Basic credential'],
    [bare, 'without its prefix pri_'],
    [Buffer.from(bare, 'hex'), 'decoded from hexadecimal'],
    [Buffer.from(bare, 'base64'), 'decoded from base64'],
    [key.toLowerCase(), 'in lower case'],
    [key.toUpperCase(), 'in upper case'],
    ['', 'empty: the variable was not set'],
  ];
  return forms
    .map(([form, how]) => ({ bytes: Buffer.from(form), says: `The key was used ${how}.` }))
    .filter(({ bytes }) => !bytes.equals(Buffer.from(key)));
}
