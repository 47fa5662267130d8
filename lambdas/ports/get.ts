/** Reads a URL: the text of a 200. Rejects for another status, and without a response in time. */
export type Get = (url: string) => Promise<string>;
