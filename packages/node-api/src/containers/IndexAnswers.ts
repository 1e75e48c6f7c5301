import type { IndexedContainer, Schema } from '@firn/rpc'
import type { Blocks } from '@firn/store'
import * as ByteText from '../internal/ByteText.ts'
import * as GoTime from '../internal/GoTime.ts'
import { methodError } from '../Service.ts'

/** Maximum number of containers in one call. */
export const MAX_CONTAINERS = 1024n

type Item = Schema.Infer<typeof IndexedContainer>

/** Checks the number of containers in a request. */
export function assertNumber(numToFetch: bigint): void {
  if (numToFetch === 0n || numToFetch > MAX_CONTAINERS)
    throw methodError(`numToFetch must be in [1,${MAX_CONTAINERS}] but is ${numToFetch}`)
}

/** Checks that an index has containers, and returns their number. */
export function assertNotEmpty(size: bigint): bigint {
  if (size === 0n) throw methodError('no containers have been accepted')
  return size
}

/**
 * Returns an entry of a result. If the acceptance time of the block is unknown, the block's timestamp is used.
 */
export function item(
  container: Omit<Blocks.Container, 'height'>,
  index: bigint,
  encoding: Schema.Encoding,
): Item {
  const { id, bytes, time, acceptedAt = time * 1_000_000_000n } = container
  return {
    id,
    bytes: ByteText.encode(bytes, encoding),
    timestamp: GoTime.format(acceptedAt),
    encoding,
    index,
  }
}
