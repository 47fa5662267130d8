/** Loaded by a test while it runs. */
const ending = ' late';

export const isLate = (text: string): boolean => text.endsWith(ending);
