import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { type ChainAlias, Hex, Id } from '@firn/codec'
import { Genesis, GenesisConfig, Networks, Upgrades } from '@firn/genesis'
import { type Recorded, type Recording, withContainer } from './recordings.ts'

/**
 * `dag` has 233 vertices with 614 transactions. `second-dag` has 488 with 1,266, of which 6 are in several vertices; its
 * nodes refuse C-chain block 1. Both networks linearized their X-chain with avalanchego 1.10.
 */
export type DagName = 'dag' | 'second-dag'

/** An entry of an index of a recorded node. */
export interface Indexed {
  readonly id: Uint8Array
  /** RFC 3339 time at which the node accepted it. */
  readonly at: string
}

/** A recorded network whose X-chain has vertices before its first block. For tests only. */
export interface RecordedDag extends Recording {
  /** The vertices, ascending by height and then by id. The stop vertex is the last one. */
  readonly vertices: readonly Uint8Array[]
  /**
   * The indices of a node that bootstrapped into an empty database, of vertices and of their transactions; undefined if
   * no such node was recorded.
   */
  readonly order: { readonly vtx: readonly Indexed[]; readonly tx: readonly Indexed[] } | undefined
}

interface Stored {
  readonly genesis: string
  readonly upgrades: Parameters<typeof Upgrades.fromJSON>[0]
  readonly vertices: readonly string[]
  readonly chains: Readonly<
    Record<ChainAlias, readonly { readonly container: string; readonly id: string; readonly at?: string }[]>
  >
  readonly order?: Readonly<Record<'vtx' | 'tx', readonly { readonly id: string; readonly at: string }[]>>
}

const LOADED = new Map<DagName, RecordedDag>()

/** Loads the recording in `vectors/<name>.json.br`. For tests only. */
export function loadDag(name: DagName): RecordedDag {
  const known = LOADED.get(name)
  if (known !== undefined) return known
  const file = new URL(`../../vectors/${name}.json.br`, import.meta.url)
  const stored = JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as Stored
  const genesis = Genesis.build(GenesisConfig.parse(stored.genesis))
  const constants = Networks.of(genesis.networkId)
  const chain = (alias: ChainAlias): Recorded[] =>
    stored.chains[alias].map(({ container, id, at }) =>
      withContainer(alias, Hex.decode(`0x${container}`), id, at === undefined ? undefined : nanoseconds(at)),
    )
  const index = (entries: readonly { readonly id: string; readonly at: string }[]): Indexed[] =>
    entries.map(({ id, at }) => ({ id: Id.parse(id), at }))
  const { order } = stored
  const dag: RecordedDag = {
    genesis,
    constants: { ...constants, upgrades: Upgrades.fromJSON(stored.upgrades) },
    chains: { P: chain('P'), X: chain('X'), C: chain('C') },
    vertices: stored.vertices.map((bytes) => Hex.decode(`0x${bytes}`)),
    order: order && { vtx: index(order.vtx), tx: index(order.tx) },
  }
  LOADED.set(name, dag)
  return dag
}

function nanoseconds(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.')
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}
