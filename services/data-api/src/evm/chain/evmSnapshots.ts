import { EvmRetention, type EvmSnapshot, type EvmStore } from '@firn/evm-store'
import { behind } from '../../http/endpoint/behind.ts'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Answer, Body } from '../../http/endpoint/Endpoint.ts'
import { latestOf, type Snapshots } from '../../http/endpoint/List.ts'

/**
 * Number of bytes of the block hash in a page token. 8 bytes suffice to distinguish the blocks of one height.
 */
const PREFIX_BYTES = 8
const PREFIX_BITS = 64n

/**
 * Creates the snapshots of lists over an EVM chain. A page token contains the height, a prefix of the block hash, and
 * the sequence number of the newest change. If this replica lacks the block because it has not reached the height or
 * the change yet, the answer is a 503, and the client can retry. Otherwise a reorg replaced the block, and the token is
 * rejected, because the remaining pages no longer exist.
 */
export function evmSnapshots(store: EvmStore): Snapshots<EvmSnapshot> {
  return {
    latest: () => store.snapshot(),
    // The sequence number shares a number with the prefix, because tokens of earlier versions have only two numbers.
    heights: ({ height, hash, sequence }) => [height, (sequence << PREFIX_BITS) | prefixOf(hash)],
    at: async ([height = 0n, place = 0n]) => {
      // The newest height must be read first, because the token's block may be indexed in the meantime.
      const latest = await store.snapshot()
      const found = await store.snapshotAt(height, bytesOf(place))
      if (found !== undefined) return found
      assertReached(latest, height, place >> PREFIX_BITS)
      const kept = await EvmRetention.keptFrom(store, 'blocks')
      const reason = kept !== undefined && height < kept ? 'is no longer kept' : 'was replaced in a reorg'
      throw new DataApiError(
        'DATA_PAGE_TOKEN',
        `pageToken: block ${height} ${reason}; start again without a token`,
      )
    },
    isThere: (at) => store.isStored(at),
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

/**
 * Throws if this replica has not reached the height or the change of a page token yet. A block that it lacks may then
 * arrive with the next changes.
 * @throws DataApiError `DATA_UNAVAILABLE`
 */
export function assertReached(latest: EvmSnapshot, height: bigint, sequence: bigint): void {
  if (height > latest.height) throw behind('pageToken', `block ${height}`, `block ${latest.height}`)
  if (sequence > latest.sequence) throw behind('pageToken', `change ${sequence}`, `change ${latest.sequence}`)
}

function prefixOf(hash: Uint8Array): bigint {
  return new DataView(hash.buffer, hash.byteOffset, PREFIX_BYTES).getBigUint64(0)
}

/** Returns the bytes of the prefix, which is in the lowest 64 bits. */
function bytesOf(place: bigint): Uint8Array {
  const bytes = new Uint8Array(PREFIX_BYTES)
  new DataView(bytes.buffer).setBigUint64(0, place)
  return bytes
}
