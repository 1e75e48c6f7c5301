import type { EvmSnapshot, EvmStore } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import { behind } from '../front/behind.ts'
import type { Answer, Body } from '../front/Endpoint.ts'
import { latestOf, type Snapshots } from '../front/List.ts'

/**
 * Number of bytes of the block hash in a page token. 8 bytes suffice to distinguish the blocks of one height.
 */
const PREFIX_BYTES = 8

/**
 * Creates the snapshots of lists over an EVM chain. A page token contains the height and a prefix of the
 * block hash. If a reorg replaced the block, the token is rejected, because the remaining pages no longer
 * exist. If this replica has not indexed the block yet, the answer is a 503, and the client can retry.
 */
export function evmSnapshots(store: EvmStore): Snapshots<EvmSnapshot> {
  return {
    latest: () => store.snapshot(),
    heights: ({ height, hash }) => [height, prefixOf(hash)],
    at: async ([height = 0n, prefix = 0n]) => {
      // The newest height must be read first, because the token's block may be indexed in the meantime.
      const latest = await store.snapshot()
      const found = await store.snapshotAt(height, bytesOf(prefix))
      if (found !== undefined) return found
      if (height > latest.height) throw behind('pageToken', `block ${height}`, `block ${latest.height}`)
      const message = `pageToken: block ${height} was replaced in a reorg; start again without a token`
      throw new DataApiError('DATA_PAGE_TOKEN', message)
    },
    isThere: async ({ height, hash }) => (await store.snapshotAt(height, hash)) !== undefined,
    head: ({ height, time }) => ({ height, time }),
  }
}

/**
 * Returns the answer that `read` computes at the newest block. Calls `read` again if a reorg reverted this block
 * meanwhile.
 */
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
