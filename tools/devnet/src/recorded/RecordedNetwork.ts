import { Bytes, CHAIN_ALIASES, type ChainAlias, Hex, Id } from '@firn/codec'
import { CChainGenesis, EvmGenesis, type Genesis, type Networks, XChainGenesis } from '@firn/genesis'
import { Vertex } from '@firn/txs'
import { DevnetError } from '../DevnetError.ts'
import { key } from '../State.ts'
import * as RecordedChain from './RecordedChain.ts'

/** Genesis and rules of a network. */
export interface NetworkRules {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
}

/** A source of the accepted blocks of a network, such as an archive. */
export interface BlockSource {
  /** Returns the height of the last block of a chain; undefined if there is only block 0. */
  tip(chain: ChainAlias): Promise<bigint | undefined>
  /** Returns up to `limit` blocks of a chain, starting at height `from`, ascending and without gaps. */
  blocks(chain: ChainAlias, from: bigint, limit: number): Promise<readonly RecordedChain.BlockBytes[]>
  /**
   * Returns up to `limit` vertices of the X-chain, from the one after `after` on, or from the first one: in ascending
   * order of height and then of id. Undefined if the source has no vertices.
   */
  vertices?(
    after: { readonly id: Uint8Array; readonly height: bigint } | undefined,
    limit: number,
  ): Promise<readonly { readonly bytes: Uint8Array }[]>
}

/** Input of {@link read}. */
export interface RecordedInput {
  readonly rules: NetworkRules
  readonly source: BlockSource
}

/** The accepted blocks of a network. */
export interface RecordedNetwork {
  readonly rules: NetworkRules
  readonly chains: Readonly<Record<ChainAlias, RecordedChain.RecordedChain>>
  /** The chain of each block above height 0, in the order of acceptance over all chains. */
  readonly order: readonly ChainAlias[]
}

/** Number of blocks that are requested from a source at once. */
const BATCH = 1_000

/**
 * Reads a network from a source. The order of acceptance follows the recorded times, or the blocks' own
 * times where no time was recorded.
 * @throws DevnetError `DEVNET_RECORDING` if blocks are missing, malformed, or do not follow each other; errors
 * of the source
 */
export async function read({ rules, source }: RecordedInput): Promise<RecordedNetwork> {
  const chains = firstChains(rules)
  for (const alias of CHAIN_ALIASES) {
    const { chainId, blocks, vertices } = chains[alias]
    const more = await readBlocks(alias, source, blocks[0] as RecordedChain.RecordedBlock)
    const found = alias === 'X' ? await readVertices(source, rules) : []
    chains[alias] = RecordedChain.create(
      alias,
      chainId,
      [...blocks, ...more],
      new Map([...vertices, ...found]),
    )
  }
  return create(rules, chains)
}

/**
 * Returns the vertices of a network that names a stop vertex, by id.
 * @throws DevnetError `DEVNET_RECORDING` if the stop vertex is not among them
 */
async function readVertices(
  source: BlockSource,
  { constants }: NetworkRules,
): Promise<RecordedChain.RecordedChain['vertices']> {
  const { cortinaXChainStopVertexId: stopId } = constants.upgrades
  const found = new Map<string, RecordedChain.RecordedVertex>()
  if (source.vertices === undefined || Bytes.isZero(stopId)) return found
  let last: { readonly id: Uint8Array; readonly height: bigint } | undefined
  for (;;) {
    const batch = await source.vertices(last, BATCH)
    if (batch.length === 0) break
    for (const { bytes } of batch) {
      const { height, parentIDs: parentIds } = Vertex.decode(bytes)
      last = { id: Vertex.id(bytes), height }
      found.set(key(last.id), { bytes, parentIds })
    }
  }
  if (found.has(key(stopId))) return found
  throw new DevnetError(
    'DEVNET_RECORDING',
    `the ${found.size} vertices of the X-chain do not include the stop vertex ${Id.format(stopId)}`,
  )
}

/** Creates a network from its chains. */
export function create(rules: NetworkRules, chains: RecordedNetwork['chains']): RecordedNetwork {
  const times = CHAIN_ALIASES.flatMap((alias) => {
    let last = 0n
    return chains[alias].blocks.slice(1).map(({ acceptedAt = last }) => {
      if (acceptedAt > last) last = acceptedAt
      return { alias, time: last }
    })
  })
  const order = times.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  return { rules, chains, order: order.map(({ alias }) => alias) }
}

async function readBlocks(
  alias: ChainAlias,
  source: BlockSource,
  first: RecordedChain.RecordedBlock,
): Promise<readonly RecordedChain.RecordedBlock[]> {
  const tip = Number((await source.tip(alias)) ?? 0n)
  const blocks = [first]
  while (blocks.length <= tip) {
    const found = await source.blocks(alias, BigInt(blocks.length), BATCH)
    if (found.length === 0)
      throw new DevnetError('DEVNET_RECORDING', `${alias}-chain block ${blocks.length} is missing`)
    for (const given of found) blocks.push(readBlock(alias, given, blocks))
  }
  return blocks.slice(1)
}

function readBlock(
  alias: ChainAlias,
  given: RecordedChain.BlockBytes,
  blocks: readonly RecordedChain.RecordedBlock[],
): RecordedChain.RecordedBlock {
  try {
    return RecordedChain.readBlock(alias, given, blocks.at(-1) as RecordedChain.RecordedBlock)
  } catch (cause) {
    if (!(cause instanceof DevnetError)) throw cause
    throw new DevnetError('DEVNET_RECORDING', `${alias}-chain block ${blocks.length}: ${cause.message}`, {
      cause,
    })
  }
}

/**
 * Returns the chains of a network with nothing but block 0. An X-chain that names no stop vertex has the empty
 * stop vertex, which nodes build themselves.
 */
export function firstChains(rules: NetworkRules): Record<ChainAlias, RecordedChain.GrowingChain> {
  const { genesis, constants } = rules
  const { xChain, cChain, firstBlock } = genesis
  const { cortinaXChainStopVertexId: named, cortina } = constants.upgrades
  const stopId = Bytes.isZero(named) ? XChainGenesis.emptyStopVertexId(xChain.blockchainId) : named
  const avm = XChainGenesis.firstBlock(stopId, cortina)
  const stop = Vertex.encode(Vertex.buildStop({ chainID: xChain.blockchainId, height: 0n, parentIDs: [] }))
  const vertices = new Map(Bytes.isZero(named) ? [[key(stopId), { bytes: stop, parentIds: [] }]] : [])
  return {
    P: RecordedChain.create('P', Id.EMPTY, [RecordedChain.bare(firstBlock.id, firstBlock.bytes)]),
    X: RecordedChain.create('X', xChain.blockchainId, [RecordedChain.bare(Id.hash(avm), avm)], vertices),
    C: RecordedChain.create('C', cChain.blockchainId, [firstEvmBlock(rules)]),
  }
}

function firstEvmBlock({ genesis, constants }: NetworkRules): RecordedChain.RecordedBlock {
  const evm = EvmGenesis.parse(genesis.cChain.genesisData)
  const { hash, header } = CChainGenesis.firstBlock(evm, constants.upgrades)
  return RecordedChain.bare(hash, Bytes.concat(rlpListHead(header.length + NO_BODY.length), header, NO_BODY))
}

/** RLP of what follows the header in the C-chain's block 0: no transactions, no uncles, version 0, no atomic data. */
const NO_BODY = Uint8Array.of(0xc0, 0xc0, 0x80, 0x80)
const LONG_LIST = 0xf7

function rlpListHead(length: number): Uint8Array {
  const digits = Hex.decodeBare(length.toString(16).padStart(4, '0'))
  return Bytes.concat(Uint8Array.of(LONG_LIST + digits.length), digits)
}
