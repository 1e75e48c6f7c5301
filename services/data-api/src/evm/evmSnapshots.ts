import type { EvmSnapshot, EvmStore } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import { behind } from '../front/behind.ts'
import type { Answer, Body } from '../front/Endpoint.ts'
import { latestOf, type Snapshots } from '../front/List.ts'

/** Bytes of a block's hash in a page token: enough to distinguish blocks of the same height. */
const PREFIX_BYTES = 8

/**
 * Returns the snapshots for lists over an EVM chain: a height and the beginning of its block's hash. A page
 * token for a block that was replaced in a reorg is rejected, because the rest of its list no longer exists;
 * one for a block that this replica does not have yet can be retried later.
 */
export function evmSnapshots(store: EvmStore): Snapshots<EvmSnapshot> {
  return {
    latest: () => store.snapshot(),
    heights: ({ height, hash }) => [height, prefixOf(hash)],
    at: async ([height = 0n, prefix = 0n]) => {
      // Read before the block: a higher one may arrive later, one at or below it was replaced.
      const latest = await store.snapshot()
      const found = await store.snapshotAt(height, bytesOf(prefix))
      if (found !== undefined) return found
      if (height > latest.height) throw behind('pageToken', `block ${height}`, `block ${latest.height}`)
      const message = `pageToken: block ${height} was replaced in a reorganisation; start again without a token`
      throw new DataApiError('DATA_PAGE_TOKEN', message)
    },
    isThere: async ({ height, hash }) => (await store.snapshotAt(height, hash)) !== undefined,
    head: ({ height, time }) => ({ height, time }),
  }
}

/** Returns the answer that `read` computes at one block, which existed until everything was read. */
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
