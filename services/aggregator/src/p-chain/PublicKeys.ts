import { PublicKey } from '@firn/bls'
import { Bytes, Hex } from '@firn/codec'
import { createBoundedCache } from '../internal/boundedCache.ts'
import { join, split } from '../workers/bytes.ts'
import type { Threads } from '../workers/Threads.ts'

/**
 * Cache of decoded public keys. Decoding includes a subgroup check, which takes most of the time when a validator set
 * is built. Sets of neighbouring heights share most of their keys.
 */
export interface PublicKeys {
  /** Decodes the keys (48 bytes each) that are not cached. Keys that are not valid are skipped. */
  prepare(compressed: readonly Uint8Array[]): Promise<void>
  /**
   * Returns a decoded key.
   * @throws BlsError `BLS_PUBLIC_KEY`
   */
  decode(compressed: Uint8Array): PublicKey.PublicKey
}

const MAX_KEYS = 65_536
/** Up to this number of keys, decoding them takes less than 2 ms, so it is done in this thread. */
const FEW = 32

/** Creates an empty cache. Many keys are decoded in worker threads, if there are any. */
export function createPublicKeys(threads: Pick<Threads, 'run'> | undefined): PublicKeys {
  const keys = createBoundedCache<PublicKey.PublicKey>(MAX_KEYS)
  return {
    async prepare(compressed) {
      const unknown = compressed.filter((key) => !keys.has(Hex.encodeBare(key)))
      if (threads === undefined || unknown.length <= FEW) return
      const decoded = await threads.run('decodeKeys', join(unknown, PublicKey.SIZE))
      for (const [place, uncompressed] of split(decoded, PublicKey.UNCOMPRESSED_SIZE).entries()) {
        if (Bytes.isZero(uncompressed)) continue
        keys.set(Hex.encodeBare(unknown[place] as Uint8Array), PublicKey.restore(uncompressed))
      }
    },
    decode(compressed) {
      const name = Hex.encodeBare(compressed)
      const known = keys.get(name)
      if (known !== undefined) return known
      const key = PublicKey.decode(compressed)
      keys.set(name, key)
      return key
    },
  }
}
