import { Json } from '@firn/codec'
import { LRUCache } from 'lru-cache'
import * as EntityTag from './EntityTag.ts'
import type { Answer } from './endpoint/Endpoint.ts'

/** An answer with its body serialized. */
export interface Rendered extends Omit<Answer, 'body'> {
  /** The body as JSON in UTF-8. Encoding it for each caller would take longer than sending it. */
  readonly bytes: Buffer
  /**
   * Entity tag of the body. Only cached answers have it, because hashing a body takes longer than sending it.
   */
  readonly tag?: string
}

/** A cache of serialized answers. */
export interface AnswerCache {
  /**
   * Returns the answer for a key. Uses the cached answer, waits for an answer that is being computed for
   * another caller with the same `sharing`, or calls `make`. Failures are not cached.
   */
  of(key: string, make: () => Promise<Answer>, sharing?: string): Promise<Rendered>
  /** Returns the cached answer for a key. */
  get(key: string): Rendered | undefined
}

/** Approximate size of a cache entry in bytes, excluding its body and key. */
const OVERHEAD = 256

/** Creates a cache of the most recently used answers. `maxBytes` limits its total size; 0 disables it. */
export function createAnswerCache(maxBytes: number): AnswerCache {
  if (maxBytes === 0) return { of: async (_key, make) => render(await make()), get: () => undefined }
  const kept = new LRUCache<string, Rendered>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + OVERHEAD,
  })
  const waiting = new Map<string, Promise<Rendered>>()
  return {
    get: (key) => kept.get(key),
    of(key, make, sharing = '') {
      const known = kept.get(key)
      if (known !== undefined) return Promise.resolve(known)
      const shared = `${sharing} ${key}`
      const other = waiting.get(shared)
      if (other !== undefined) return other
      const answer = make()
        .then((made) => {
          const rendered = withTag(render(made))
          kept.set(key, rendered)
          return rendered
        })
        .finally(() => waiting.delete(shared))
      waiting.set(shared, answer)
      return answer
    },
  }
}

function withTag(rendered: Rendered): Rendered {
  return { ...rendered, tag: EntityTag.create(rendered.bytes) }
}

/** Serializes the body of an answer. */
export function render({ body, ...answer }: Answer): Rendered {
  const { buffer, byteOffset, length } = Json.encode(body as Json.Json)
  const bytes = Buffer.from(buffer, byteOffset, length)
  return { ...answer, bytes }
}
