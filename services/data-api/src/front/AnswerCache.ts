import { Json } from '@firn/codec'
import { LRUCache } from 'lru-cache'
import type { Answer } from './Endpoint.ts'

/** A response as it is sent. */
export interface Rendered extends Omit<Answer, 'body'> {
  /** The body's JSON. */
  readonly text: string
}

/** A cache of responses. */
export interface AnswerCache {
  /**
   * Returns the response of a key: a kept one, one that another caller is waiting for, or the result of
   * `make`. Failures are not kept.
   */
  of(key: string, make: () => Promise<Answer>): Promise<Rendered>
}

/** Approximate bytes of an entry besides its text and its key. */
const OVERHEAD = 256

/** Returns a cache of the most recently used responses, bounded in total bytes; 0 keeps none. */
export function createAnswerCache(maxBytes: number): AnswerCache {
  if (maxBytes === 0) return { of: async (_key, make) => render(await make()) }
  const kept = new LRUCache<string, Rendered>({
    maxSize: maxBytes,
    sizeCalculation: ({ text }, key) => text.length + key.length + OVERHEAD,
  })
  const waiting = new Map<string, Promise<Rendered>>()
  return {
    of(key, make) {
      const known = kept.get(key)
      if (known !== undefined) return Promise.resolve(known)
      const other = waiting.get(key)
      if (other !== undefined) return other
      const answer = make()
        .then((made) => {
          const rendered = render(made)
          kept.set(key, rendered)
          return rendered
        })
        .finally(() => waiting.delete(key))
      waiting.set(key, answer)
      return answer
    },
  }
}

/** Returns the response with its body as text. */
export function render({ body, ...answer }: Answer): Rendered {
  return { ...answer, text: Json.stringify(body as Json.Json) }
}
