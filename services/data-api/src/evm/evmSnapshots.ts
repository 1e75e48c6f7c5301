import type { EvmSnapshot, EvmStore } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import { behind } from '../front/behind.ts'
import type { Answer, Body } from '../front/Endpoint.ts'
import { latestOf, type Snapshots } from '../front/List.ts'

/** How much of a block's hash a page token keeps: enough to tell it from another block of its height. */
const PREFIX_BYTES = 8

/**
 * The snapshots of lists over an EVM chain: a height and the beginning of its block's hash. A page token of a block that was
 * reorganised away is refused, as the rest of its list isn't there any more; one of a block that this replica does not have yet can be
 * used again later.
 */
export function evmSnapshots(store: EvmStore): Snapshots<EvmSnapshot> {
  return {
    latest: () => store.snapshot(),
    heights: ({ height, hash }) => [height, prefixOf(hash)],
    at: async ([height = 0n, prefix = 0n]) => {
      // Read before the block: one above it may come later, one at or below it was replaced.
      const latest = await store.snapshot()
      const found = await store.snapshotAt(height, bytesOf(prefix))
      if (found !== undefined) return found
      if (height > latest.height) throw behind('pageToken', `block ${height}`, `block ${latest.height}`)
      const message = `pageToken: expected a list as of a block that is here, got block ${height} as it was before a reorganisation; begin again without a token`
      throw new DataApiError('DATA_PAGE_TOKEN', message)
    },
    isThere: async ({ height, hash }) => (await store.snapshotAt(height, hash)) !== undefined,
    head: ({ height, time }) => ({ height, time }),
  }
}

/** The answer that `read` gives as of one block, which was there until all was read. */
export async function steady(
  store: EvmStore,
  signal: AbortSignal,
  read: (at: EvmSnapshot) => Promise<Body>,
): Promise<Answer> {
  return latestOf(evmSnapshots(store), signal, async (at) => ({
    body: await read(at),
    height: at.height,
    time: at.time,
  }))
}

function prefixOf(hash: Uint8Array): bigint {
  return new DataView(hash.buffer, hash.byteOffset, PREFIX_BYTES).getBigUint64(0)
}

function bytesOf(prefix: bigint): Uint8Array {
  const bytes = new Uint8Array(PREFIX_BYTES)
  new DataView(bytes.buffer).setBigUint64(0, prefix)
  return bytes
}
