import { LRUCache } from 'lru-cache'

/**
 * Returns an empty cache of at most `max` entries, from which the least recently used one is evicted. Unlike a cache
 * with the option `max`, it reserves no memory for entries that it may never have.
 */
export function createBoundedCache<V extends {}>(max: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
}
