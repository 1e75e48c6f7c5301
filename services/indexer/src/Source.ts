import type { Records } from '@firn/ledger'

/** A chain of the Primary Network. */
export type Chain = Records.ChainAlias

/** The chains in the order in which equal block times are taken. */
export const CHAINS: readonly Chain[] = ['P', 'X', 'C']

/** An accepted block as a source gives it; nothing of it is checked yet. */
export interface SourceBlock {
  /** `container`: the bytes may be wrapped by the proposervm, as the Index API has them; `block`: they are the block itself. */
  readonly kind: 'container' | 'block'
  readonly bytes: Uint8Array
  /** The id that the source gives: of the container, or of the block. */
  readonly id?: Uint8Array
  /** When the source's node accepted it, in nanoseconds since 1970. */
  readonly acceptedAt?: bigint
  /** Where it comes from, for logs and metrics: a host, or a file and line. */
  readonly origin: string
}

/** Where accepted blocks come from. Answers may be empty, late, short or wrong: who follows checks them. */
export interface Source {
  /** For logs. */
  readonly name: string
  /** True when what it has can't change: an archive. What is wrong in it stays wrong. */
  readonly isFixed: boolean
  /**
   * The height of the last block that the source knows of a chain; undefined when it has none but the genesis.
   * @throws RpcError; IndexerError `INDEXER_SOURCE`, `INDEXER_ARCHIVE`
   */
  tip(chain: Chain, signal?: AbortSignal): Promise<bigint | undefined>
  /**
   * Blocks of a chain from a height on, ascending and without gaps, at most `limit`, possibly fewer. None is not the end: only
   * {@link tip} tells that.
   * @throws RpcError; IndexerError `INDEXER_SOURCE`, `INDEXER_ARCHIVE`, `INDEXER_NO_RAW_BLOCKS`
   */
  blocks(chain: Chain, from: bigint, limit: number, signal?: AbortSignal): Promise<readonly SourceBlock[]>
  /** Told when what came from an origin was refused, so that another is asked first. */
  refuse(origin: string): void
  close(): Promise<void>
}
