export interface MemoryLevels {
  MemoryLevel: new (options: object) => object;
}

/**
 * Makes databases in memory store text in place of its bytes, which takes less time and memory. All keys of
 * dynalite are ASCII, so that both have one order, and all values JSON.
 */
export function storeText(memoryLevels: MemoryLevels): void {
  memoryLevels.MemoryLevel = class extends memoryLevels.MemoryLevel {
    constructor(options: object) {
      super({ ...options, storeEncoding: 'utf8' });
    }
  };
}
