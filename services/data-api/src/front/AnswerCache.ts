import { Json } from '@firn/codec'
import { LRUCache } from 'lru-cache'
import type { Answer } from './Endpoint.ts'

/** An answer as it goes out. */
export interface Rendered extends Omit<Answer, 'body'> {
  /** The body's JSON. */
  readonly text: string
}

/** Answers that were given, to be given again. */
export interface AnswerCache {
  /** The answer of a key: the kept one, that which another caller is waiting for, or what `make` gives. Failures are not kept. */
  of(key: string, make: () => Promise<Answer>): Promise<Rendered>
}

/** Bytes that an entry takes beside its text and its key; about. */
const OVERHEAD = 256

/** Keeps the answers that were asked for last, of so many bytes in all; 0 keeps none. */
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

/** The answer with its body as text. */
export function render({ body, ...answer }: Answer): Rendered {
  return { ...answer, text: Json.stringify(body as Json.Json) }
}
