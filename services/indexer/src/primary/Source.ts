import { CHAIN_ALIASES, type ChainAlias, type FirnError } from '@firn/codec'
import type { Vertices } from '@firn/ledger'
import type { Peer } from '@firn/p2p'
import { FetchedVertices, type Store } from '@firn/store'
import type { Registry } from 'prom-client'
import type { Pulse } from '../common/Pulse.ts'

/** An accepted block as returned by a source, not checked yet. */
export interface SourceBlock {
  /**
   * Content of `bytes`. `container`: the bytes may be a proposervm container, as in the Index API. `block`:
   * the bytes are the inner block.
   */
  readonly kind: 'container' | 'block'
  readonly bytes: Uint8Array
  /** Id of the container or block that the source reported. */
  readonly id?: Uint8Array
  /** Time at which the node behind the source accepted the block, in nanoseconds since the Unix epoch. */
  readonly acceptedAt?: bigint
  /** Origin of the block for logs and metrics: a host name, or a file name and line. */
  readonly origin: string
}

/** A vertex of the X-chain as returned by a source, not checked yet. */
export interface SourceVertex {
  readonly bytes: Uint8Array
  /** Origin of the vertex for logs and metrics: a host name, or a file name and line. */
  readonly origin: string
  /** Time at which the node behind the source accepted the vertex, in nanoseconds since the Unix epoch. */
  readonly acceptedAt?: bigint | undefined
}

/** Where fetched vertices are stored, and what they must be. */
export interface VertexTarget {
  /** Database whose table of fetched vertices is filled. It is the only memory of a walk. */
  readonly store: Store
  /** Id of the vertex that ends the DAG, which is pinned for each network. */
  readonly stopVertexId: Uint8Array
  /** Time of the network's genesis in Unix seconds, before which no vertex was accepted. */
  readonly since: bigint
}

/**
 * A source of accepted blocks. Answers may be empty, late, incomplete or wrong, so the caller checks them.
 */
export interface Source {
  /** Name of the source, for logs. */
  readonly name: string
  /** True if the contents cannot change, as in an archive. Errors of a fixed source are permanent. */
  readonly isFixed: boolean
  /** True if the source has checked the blocks' ids and signatures, so that the indexer need not. */
  readonly isVerified?: boolean
  /** The chains that the source has; all by default. The indexer follows these chains. */
  readonly chains?: readonly ChainAlias[]
  /** Metrics of the source; undefined if it has none. */
  readonly metrics?: Registry
  /**
   * Returns the height of the last block of a chain that the source knows; undefined if the source knows only
   * the genesis.
   * @throws RpcError; IndexerError `INDEXER_SOURCE`, `INDEXER_ARCHIVE`
   */
  tip(chain: ChainAlias, signal?: AbortSignal): Promise<bigint | undefined>
  /**
   * Returns up to `limit` blocks of a chain, starting at height `from`, ascending and without gaps. An empty
   * answer does not mean the end of the chain; only {@link tip} reports that.
   * @throws RpcError; IndexerError `INDEXER_SOURCE`, `INDEXER_ARCHIVE`, `INDEXER_NO_RAW_BLOCKS`
   */
  blocks(
    chain: ChainAlias,
    from: bigint,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly SourceBlock[]>
  /**
   * Returns up to `limit` vertices of the X-chain, which came before its first block on mainnet and fuji: in ascending
   * order of height and then of id, without gaps, from the one after `after` on, or from the first one. The stop vertex
   * is the last one. An empty answer means that the vertices are not available yet. Undefined if the source has no vertices,
   * or only {@link fetchVertices}.
   * @throws RpcError; IndexerError `INDEXER_SOURCE`, `INDEXER_ARCHIVE`, `INDEXER_NO_VERTICES`
   */
  vertices?(
    after: Pick<Vertices.Accepted, 'id' | 'height'> | undefined,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly SourceVertex[]>
  /**
   * Stores all vertices of the X-chain in the target, in any order. After an error, the next call continues. Undefined if
   * the source has no vertices, or returns them in order.
   * @throws RpcError; IndexerError `INDEXER_BLOCK`, `INDEXER_NO_VERTICES`; StoreError
   */
  fetchVertices?(target: VertexTarget, signal?: AbortSignal): Promise<void>
  /** Informs the source that a block from `origin` was rejected. The source then prefers other origins. */
  refuse(origin: string, error: FirnError): void
  /** Changes of the tips. The indexer then asks at once. Undefined if the source does not know of them before it is asked. */
  readonly changes?: Pick<Pulse, 'count' | 'next'>
  /**
   * Pushes signed transactions of a chain to validators, which do not answer. Returns the number of validators that they
   * were sent to. Undefined if the source has no connection to validators.
   */
  push?(chain: ChainAlias, transactions: readonly Uint8Array[]): number
  /** Returns the open connections to peers. Undefined if the source has no peers. */
  peers?(): readonly Peer[]
  /** Returns the progress of a source that fetches many blocks before it returns the first one. */
  progress?(): SourceProgress | undefined
  /** Returns messages about what prevents the source from having blocks; empty when healthy. */
  problems?(): readonly string[]
  /** Returns the nodes that are used last because they returned wrong data, each with the reason; empty by default. */
  warnings?(): readonly string[]
  close(): Promise<void>
}

/** Progress of a source before its blocks can be applied. */
export interface SourceProgress {
  /**
   * `bootstrapping`: the accepted tip is not known yet. `fetching`: blocks are fetched, but not all up to the tip.
   * `following`: all blocks up to the tip were fetched, and new ones are.
   */
  readonly phase: 'bootstrapping' | 'fetching' | 'following'
  /** Number of blocks that were fetched, and of all blocks to fetch as far as known. */
  readonly fetched: bigint
  readonly total: bigint
  readonly blocksPerSecond: number
  /** Number of connected peers. */
  readonly peers: number
  /** The nodes that decide which blocks are accepted: their number, and how many of them are connected. */
  readonly voters: {
    readonly kind: 'beacons' | 'validators'
    readonly count: number
    readonly connected: number
  }
  /** Number of fetched vertices of the X-chain; undefined unless they are being fetched. */
  readonly vertices?: bigint | undefined
}

/** Returns the chains that a source has. */
export function chainsOf({ chains }: Pick<Source, 'chains'>): readonly ChainAlias[] {
  return chains ?? CHAIN_ALIASES
}

/**
 * Returns the source with `vertices`, if it can only fetch all vertices at once. The first call fetches them, and takes as
 * long as that.
 */
export function withVertices(source: Source, target: VertexTarget): Source {
  const { fetchVertices } = source
  if (fetchVertices === undefined) return source
  let isFetched = false
  return {
    ...source,
    async vertices(after, limit, signal) {
      if (!isFetched) await fetchVertices(target, signal)
      isFetched = true
      const found = await FetchedVertices.page(target.store, after, limit)
      return found.map(({ bytes, acceptedAt }) => ({ bytes, origin: source.name, acceptedAt }))
    },
  }
}
