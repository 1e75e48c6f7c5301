import { isFirnError } from '@firn/codec'
import type { EvmChain, EvmStore } from '@firn/evm-store'
import { type Clock, pause } from '@firn/runtime'
import { IndexerError } from '../common/IndexerError.ts'
import type * as Problems from '../common/Problems.ts'
import type { EvmUpstreams } from './upstream/EvmUpstreams.ts'

interface Given {
  readonly store: EvmStore
  /** Description of the chain. It takes precedence over the stored description. */
  readonly chain: Omit<EvmChain, 'chainId' | 'firstHeight' | 'hasTraces' | 'genesisHash' | 'isEventsOnly'>
  readonly firstHeight?: bigint
  readonly withTraces?: boolean
  readonly isEventsOnly?: boolean | undefined
}

/**
 * Returns the description of the stored chain. If none is stored, returns a new description, with traces if
 * the nodes that answered serve traces. Waits while no node serves the traces that the stored blocks have.
 * @throws IndexerError `INDEXER_TRACES` if every node has answered and none serves them
 */
export async function settleChain(
  { store, chain, firstHeight = 0n, withTraces, isEventsOnly = false }: Given,
  upstreams: EvmUpstreams,
  problems: Problems.Problems,
  timing: { readonly clock: Clock; readonly random: () => number },
  signal: AbortSignal,
): Promise<EvmChain> {
  const stored = await store.chain()
  for (let failures = 1; ; failures += 1) {
    const { hasTraces, isKnown } = await upstreams.open(signal)
    const storesTraces = !isEventsOnly && (stored?.hasTraces ?? withTraces ?? hasTraces)
    if (!storesTraces || hasTraces) {
      upstreams.setTraces(storesTraces)
      problems.clear('traces')
      const { chainId } = store
      const genesisHash = stored?.genesisHash ?? (await askGenesis(upstreams, signal))
      return {
        ...chain,
        chainId,
        firstHeight: stored?.firstHeight ?? firstHeight,
        hasTraces: storesTraces,
        genesisHash,
        isEventsOnly,
      }
    }
    const error = untraced(store.chainId)
    if (isKnown) throw error
    // Traces may still be available, because a node that does not answer at present may serve them.
    problems.set('traces', error.message)
    await pause(failures, timing, signal)
    signal.throwIfAborted()
  }
}

/** Returns the hash of block 0; undefined if no node provides it at present. */
async function askGenesis(upstreams: EvmUpstreams, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    const [hash] = await upstreams.canonical([0n], signal)
    return hash
  } catch (error) {
    if (signal.aborted || !isFirnError(error)) throw error
    return undefined
  }
}

function untraced(chainId: bigint): IndexerError {
  const message = `No node of chain ${chainId} serves traces, but the stored blocks have traces. Add a node with tracing enabled, or run "firn evm --reset ${chainId}" to remove the stored blocks and to index the chain again without traces.`
  return new IndexerError('INDEXER_TRACES', message, { details: { chainId: `${chainId}` } })
}
