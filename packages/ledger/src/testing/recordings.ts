import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { CHAIN_ALIASES, type ChainAlias, Hex } from '@firn/codec'
import { Genesis, GenesisConfig, Networks, Upgrades } from '@firn/genesis'

/** A node's API responses at one moment. For tests only. */
export interface RecordedState {
  readonly name: string
  /** Heights of the chains; null if not recorded. */
  readonly heights: Readonly<Record<ChainAlias, number | null>>
  /** The node's clock in Unix seconds; null if not recorded. */
  readonly time: number | null
  // biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
  readonly calls: readonly { readonly method: string; readonly params: any; readonly result: any }[]
}

/** A recorded block. For tests only. */
export interface RecordedBlock {
  readonly chain: ChainAlias
  readonly height: number
  readonly id: string
  readonly bytes: Uint8Array
  /** Time at which the node accepted the block; empty for block 0. */
  readonly at: string
}

/** A recorded transaction. For tests only. */
export interface RecordedTx {
  readonly id: string
  readonly height: number
  /** Encoded transaction; some have a trailing checksum. */
  readonly bytes: `0x${string}`
}

/** A recorded network. For tests only. */
export interface Recording {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /**
   * Blocks of each chain after block 0. `blocks` has all of them in the order in which the node accepted
   * them.
   */
  readonly chains: Readonly<Record<ChainAlias, readonly RecordedBlock[]>>
  readonly blocks: readonly RecordedBlock[]
  /** Id of block 0 of each chain; undefined for the C-chain. */
  readonly firstIds: Readonly<Record<ChainAlias, string | undefined>>
  /**
   * Validators, chains, asset and UTXOs that the genesis creates, as returned by avalanchego. `utxos` holds the
   * P-chain's UTXOs; it is empty if they were not recorded.
   */
  readonly first: {
    readonly validators: readonly { readonly id: string; readonly bytes: `0x${string}` }[]
    readonly chains: readonly string[]
    readonly asset: string
    readonly utxos: readonly string[]
  }
  readonly txs: {
    readonly P: readonly (RecordedTx & {
      readonly status: { readonly status: string }
      readonly rewardUTXOs?: { readonly utxos: readonly string[] } | null
    })[]
    readonly X: readonly (RecordedTx & { readonly status: string })[]
    readonly C: readonly (RecordedTx & {
      readonly status: string
      readonly name: string
    })[]
  }
  readonly states: readonly RecordedState[]
  // biome-ignore lint/suspicious/noExplicitAny: recorded JSON is used without validation
  readonly validatorsAt: readonly { readonly height: number; readonly all: any; readonly bySubnet: any }[]
}

interface StoredBlock {
  readonly id: string
  readonly bytes: `0x${string}`
  readonly at: string | null
}

/**
 * Loads the recording in `vectors/<name>.json.gz`. The X-chain blocks of `helicon` were not recorded; the file
 * contains blocks that were built from the issued transactions.
 */
export function load(name: 'local' | 'helicon'): Recording {
  const file = new URL(`../../vectors/${name}.json.gz`, import.meta.url)
  const data = JSON.parse(gunzipSync(readFileSync(file)).toString())
  const genesis = Genesis.build(GenesisConfig.parse(data.genesis))
  const constants = Networks.of(genesis.networkId)
  const upgrades = data.upgrades === null ? constants.upgrades : Upgrades.fromJSON(data.upgrades)
  const stored: Readonly<Record<ChainAlias, readonly StoredBlock[]>> = data.chains
  const chains = { P: blocksOf('P', stored.P), X: blocksOf('X', stored.X), C: blocksOf('C', stored.C) }
  return {
    ...data,
    genesis,
    constants: { ...constants, upgrades },
    chains,
    blocks: CHAIN_ALIASES.flatMap((chain) => chains[chain]).sort((a, b) => (a.at < b.at ? -1 : 1)),
    firstIds: { P: stored.P[0]?.id, X: stored.X[0]?.id, C: undefined },
  }
}

/**
 * Returns the recorded blocks of a chain without block 0, which the file contains for the P- and X-chain but
 * not for the C-chain.
 */
function blocksOf(chain: ChainAlias, stored: readonly StoredBlock[]): RecordedBlock[] {
  const first = chain === 'C' ? 1 : 0
  const all = stored.map(({ id, bytes, at }, i) => {
    return { chain, height: first + i, id, bytes: Hex.decode(bytes), at: at ?? '' }
  })
  return all.filter(({ height }) => height > 0)
}
