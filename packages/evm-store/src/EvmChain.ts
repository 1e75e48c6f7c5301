import type { ChainRow } from './EvmSchema.ts'

/** The kinds of networks. Metrics of several chains are added up per kind. */
export const EVM_NETWORKS = ['mainnet', 'testnet', 'local'] as const
export type EvmNetwork = (typeof EVM_NETWORKS)[number]

/** An EVM chain: its names, and which of its data is stored. */
export interface EvmChain {
  readonly chainId: bigint
  readonly name: string
  readonly network: EvmNetwork
  /** Blockchain id (32 bytes); undefined for a chain outside Avalanche. */
  readonly blockchainId?: Uint8Array | undefined
  readonly subnetId?: Uint8Array | undefined
  /** The token in which fees are paid. */
  readonly token: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** Height of the first stored block. */
  readonly firstHeight: bigint
  /** Whether blocks are stored with traces. */
  readonly hasTraces: boolean
  /**
   * Hash of block 0 (32 bytes), which distinguishes the chain from others with the same chain id. Undefined
   * if it is not known yet.
   */
  readonly genesisHash?: Uint8Array | undefined
  /**
   * Whether only headers and the logs of chosen events are stored; false by default. Such a chain has no traces.
   */
  readonly isEventsOnly?: boolean | undefined
}

/** Returns the row of a chain, except what the writer adds. */
export function toRow(chain: EvmChain): Omit<ChainRow, 'logs_from'> {
  return {
    chain_id: chain.chainId,
    name: chain.name,
    network: chain.network,
    blockchain_id: chain.blockchainId ?? null,
    subnet_id: chain.subnetId ?? null,
    token_name: chain.token.name,
    token_symbol: chain.token.symbol,
    token_decimals: chain.token.decimals,
    first_height: chain.firstHeight,
    has_traces: chain.hasTraces,
    genesis_hash: chain.genesisHash ?? null,
    events_only: chain.isEventsOnly ?? false,
  }
}

export function ofRow(row: ChainRow): EvmChain {
  return {
    chainId: row.chain_id,
    name: row.name,
    network: row.network as EvmNetwork,
    blockchainId: row.blockchain_id ?? undefined,
    subnetId: row.subnet_id ?? undefined,
    token: { name: row.token_name, symbol: row.token_symbol, decimals: row.token_decimals },
    firstHeight: row.first_height,
    hasTraces: row.has_traces,
    genesisHash: row.genesis_hash ?? undefined,
    isEventsOnly: row.events_only || undefined,
  }
}
