import { fetchFirst, prepared } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'
import type { Image, ImageUsage } from '../ImageQueue.ts'
import { readImageUsage } from '../internal/imageUsage.ts'

/**
 * Returns the image with a hash (SHA-256 of its bytes); undefined if it is not stored.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmImages, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const hash: string
 * const image = await EvmImages.byHash(store, Hex.decode(hash))
 * console.log(image?.contentType)
 * ```
 */
export function byHash(store: EvmStore, hash: Uint8Array): Promise<Image | undefined> {
  return fetchFirst(
    store,
    sql<Image>`${prepared} select content_type as "contentType", width, height, bytes from image where hash = ${hash}`,
  )
}

/**
 * Returns the number and total size of a chain's stored images.
 *
 * @example
 * ```ts
 * import { EvmImages, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const { images, bytes } = await EvmImages.usage(store)
 * ```
 */
export function usage(store: EvmStore): Promise<ImageUsage> {
  return store.driver.transaction(readImageUsage)
}
