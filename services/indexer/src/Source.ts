import type { Records } from '@firn/ledger'

/** A chain of the Primary Network. */
export type Chain = Records.ChainAlias

/** The chains, in the order used for equal block times. */
export const CHAINS: readonly Chain[] = ['P', 'X', 'C']

/** An accepted block as returned by a source; not checked yet. */
export interface SourceBlock {
  /**
   * `container`: the bytes may be wrapped by the proposervm, as in the Index API; `block`: they are the inner
   * block.
   */
  readonly kind: 'container' | 'block'
  readonly bytes: Uint8Array
  /** The container's or block's id according to the source. */
  readonly id?: Uint8Array
  /** When the source's node accepted it, in nanoseconds since the Unix epoch. */
  readonly acceptedAt?: bigint
  /** Where the block comes from, for logs and metrics: a host, or a file and line. */
  readonly origin: string
}

/** A source of accepted blocks. Answers may be empty, late, short or wrong, so the caller checks them. */
export interface Source {
  /** Name for logs. */
  readonly name: string
  /** True if the contents cannot change, as in an archive: errors in it are permanent. */
  readonly isFixed: boolean
  /**
   * Returns the height of the last block of a chain that the source knows; undefined if it has only the
   * genesis.
   * @throws RpcError; IndexerError `INDEXER_SOURCE`, `INDEXER_ARCHIVE`
   */
  tip(chain: Chain, signal?: AbortSignal): Promise<bigint | undefined>
  /**
   * Returns blocks of a chain from a height on, ascending and without gaps, at most `limit`, possibly fewer.
   * An empty answer does not mean the end; only {@link tip} reports that.
   * @throws RpcError; IndexerError `INDEXER_SOURCE`, `INDEXER_ARCHIVE`, `INDEXER_NO_RAW_BLOCKS`
   */
  blocks(chain: Chain, from: bigint, limit: number, signal?: AbortSignal): Promise<readonly SourceBlock[]>
  /** Called when a block from an origin was rejected, so that another origin is preferred. */
  refuse(origin: string): void
  close(): Promise<void>
}
