/** The files of the page. */
export interface PageAssets {
  document(): Promise<{ body: Buffer; build: string }>;
  asset(name: string): { body: Buffer; type: string } | undefined;
  close(): Promise<void>;
}

export function createPageAssets(): PageAssets {
  const body = Buffer.from(
    '<!doctype html><html lang="en"><title>payhooks</title><p>The console.</p></html>',
  );
  return {
    document: async () => ({ body, build: 'none' }),
    asset: () => undefined,
    close: async () => {},
  };
}
