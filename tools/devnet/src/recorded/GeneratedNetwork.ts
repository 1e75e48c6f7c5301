import { type ChainAlias, Id } from '@firn/codec'
import { Genesis, type GenesisConfig, Networks, Upgrades } from '@firn/genesis'
import { NetworkGenesis } from '@firn/genesis-data'
import { Signature } from '@firn/keys'
import { PlatformBlock, PlatformTx } from '@firn/txs'
import { DevnetError } from '../DevnetError.ts'
import * as RecordedChain from './RecordedChain.ts'
import * as RecordedNetwork from './RecordedNetwork.ts'
import { ADDRESS, FEE, KEY } from './testKey.ts'
import * as VertexGraph from './VertexGraph.ts'

/** Options of {@link create}. */
export interface GeneratedNetworkOptions {
  /** 1 and 5 have the genesis of Mainnet and Fuji; other networks have a generated genesis. */
  readonly networkId: number
  /** Number of P-chain blocks above block 0. */
  readonly blocks: number
  /** Number of X-chain vertices before the stop vertex; 0 for Mainnet and Fuji, whose stop vertex is known. */
  readonly vertices?: number
  /** Stop vertex (32 bytes) of Mainnet or Fuji in place of the published one; all zeros for none. */
  readonly stopVertexId?: Uint8Array
  /** Seed of the shape of the graph of vertices. */
  readonly seed: string
}

/** A generated network, and its genesis file if it is not Mainnet or Fuji. */
export interface GeneratedNetworkParts {
  readonly network: RecordedNetwork.RecordedNetwork
  readonly genesisConfig: GenesisConfig.GenesisConfig | undefined
}

/**
 * Start of a generated genesis: 2020-09-10, before all upgrades, so that there are vertices and Apricot blocks.
 */
const START_TIME = 1_599_696_000n
/**
 * Generates a network: a P-chain on which the time advances, and on networks with a generated genesis an X-chain with
 * a graph of vertices. The P-chain of Mainnet and Fuji also imports from the C-chain. A ledger accepts all of it, if it
 * does not follow the C-chain of Mainnet and Fuji. Nothing in it needs the key of a real owner or validator.
 * @throws DevnetError `DEVNET_OPTIONS` for network 12345, and for vertices on Mainnet and Fuji
 */
export async function create({
  networkId,
  blocks,
  vertices = 0,
  stopVertexId,
  seed,
}: GeneratedNetworkOptions): Promise<GeneratedNetworkParts> {
  const isPublic = networkId === Networks.MAINNET.networkId || networkId === Networks.FUJI.networkId
  if (networkId === Networks.LOCAL.networkId)
    throw new DevnetError(
      'DEVNET_OPTIONS',
      `network ${networkId} has no time before Banff; expected 1, 5 or the id of a custom network`,
    )
  if (isPublic && vertices > 0)
    throw new DevnetError(
      'DEVNET_OPTIONS',
      `the vertices of network ${networkId} cannot be generated, because its stop vertex is known`,
    )
  if (isPublic) {
    const genesis = await NetworkGenesis.load(networkId)
    const published = Networks.of(networkId)
    const { upgrades } = published
    const cortinaXChainStopVertexId = stopVertexId ?? upgrades.cortinaXChainStopVertexId
    const constants = { ...published, upgrades: { ...upgrades, cortinaXChainStopVertexId } }
    return {
      network: assemble({ genesis, constants }, blocks),
      genesisConfig: undefined,
    }
  }
  const local = await NetworkGenesis.readConfig(Networks.LOCAL.networkId)
  const genesisConfig = { ...local, networkId, startTime: START_TIME }
  const genesis = Genesis.build(genesisConfig)
  const graph = vertices > 0 ? VertexGraph.create(genesis, vertices, seed) : undefined
  const cortinaXChainStopVertexId = graph?.stopId ?? Id.EMPTY
  const constants = {
    ...Networks.of(networkId),
    upgrades: { ...Upgrades.MAINNET, cortinaXChainStopVertexId },
  }
  return { network: assemble({ genesis, constants }, blocks, graph), genesisConfig }
}

function assemble(
  rules: RecordedNetwork.NetworkRules,
  count: number,
  graph?: VertexGraph.VertexGraph,
): RecordedNetwork.RecordedNetwork {
  const chains: Record<ChainAlias, RecordedChain.RecordedChain> = RecordedNetwork.firstChains(rules)
  chains.P = RecordedChain.create('P', chains.P.chainId, [
    ...chains.P.blocks,
    ...platformBlocks(rules.genesis, count, rules.constants.ids !== undefined),
  ])
  if (graph !== undefined) {
    const { chainId, blocks } = chains.X
    const [first] = blocks as [RecordedChain.RecordedBlock]
    const more = VertexGraph.avmBlocks(first, rules.constants.upgrades.cortina, graph)
    chains.X = RecordedChain.create('X', chainId, [first, ...more], graph.vertices)
  }
  return RecordedNetwork.create(rules, chains)
}

const NONE = new Uint8Array()
/** Of this number of blocks, one creates a subnet, two may import, and the others advance the time. */
const SUBNET_INTERVAL = 101
const IMPORT_PLACES = [50, 51]

/**
 * Returns blocks that follow block 0: proposals to advance the time by a second, each with its commit, and now and then
 * a standard block that creates a subnet. With `hasImports`, some blocks import from the C-chain what it never exported,
 * which a ledger accepts if it does not follow the C-chain. The first half consists of bare blocks, the second half of
 * containers without a proposer.
 */
function platformBlocks(
  genesis: Genesis.Genesis,
  count: number,
  hasImports: boolean,
): RecordedChain.RecordedBlock[] {
  const { networkId, platform, firstBlock } = genesis
  const blocks: RecordedChain.RecordedBlock[] = []
  let parent = RecordedChain.bare(firstBlock.id, firstBlock.bytes)
  let time = platform.timestamp
  let isProposed = false
  while (blocks.length < count) {
    const next = nextBlock()
    const isOption = next.type === 'ApricotCommitBlock'
    const bytes = PlatformBlock.encode(next)
    // A commit is bare if its proposal is.
    const isBare = isOption ? parent.id === parent.innerId : blocks.length < count / 2
    parent = isBare
      ? RecordedChain.bare(Id.hash(bytes), bytes)
      : isOption
        ? RecordedChain.wrapped({ type: 'Option', parentID: parent.id, block: bytes }, Id.hash(bytes))
        : RecordedChain.anonymous(parent, bytes, time)
    blocks.push(parent)
  }
  return blocks

  function nextBlock(): PlatformBlock.PlatformBlock {
    const place = { parentID: parent.innerId, height: BigInt(blocks.length + 1) }
    if (isProposed) {
      isProposed = false
      return { type: 'ApricotCommitBlock', ...place }
    }
    if (blocks.length % SUBNET_INTERVAL === SUBNET_INTERVAL - 1)
      return { type: 'ApricotStandardBlock', ...place, txs: [createSubnet(networkId, blocks.length)] }
    if (hasImports && IMPORT_PLACES.includes(blocks.length % SUBNET_INTERVAL))
      return { type: 'ApricotAtomicBlock', ...place, tx: importFromC(genesis, blocks.length) }
    isProposed = true
    time += 1n
    return { type: 'ApricotProposalBlock', ...place, tx: advanceTime(time) }
  }
}

function advanceTime(time: bigint) {
  return { unsignedTx: { type: 'AdvanceTimeTx' as const, time }, credentials: [] }
}

function createSubnet(networkId: number, ordinal: number) {
  const memo = new TextEncoder().encode(`${ordinal}`)
  const base = { networkID: networkId, blockchainID: Id.EMPTY, outputs: [], inputs: [], memo }
  const owner = { type: 'OutputOwners' as const, locktime: 0n, threshold: 1, addresses: [ADDRESS] }
  return { unsignedTx: { type: 'CreateSubnetTx' as const, ...base, owner }, credentials: [] }
}

/** Imports an output of the C-chain that does not exist. */
function importFromC({ networkId, avaxAssetId, cChain }: Genesis.Genesis, ordinal: number) {
  const amount = 5n * FEE
  const owner = { locktime: 0n, threshold: 1, addresses: [ADDRESS] }
  const output = { type: 'TransferOutput' as const, amount: amount - FEE, ...owner }
  const input = { type: 'TransferInput' as const, amount, signatureIndices: [0] }
  const unsignedTx = {
    type: 'ImportTx' as const,
    networkID: networkId,
    blockchainID: Id.EMPTY,
    outputs: [{ assetID: avaxAssetId, output }],
    inputs: [],
    memo: NONE,
    sourceChain: cChain.blockchainId,
    importedInputs: [
      { txID: Id.hash(new TextEncoder().encode(`${ordinal}`)), outputIndex: 0, assetID: avaxAssetId, input },
    ],
  }
  const signature = Signature.sign(Id.hash(PlatformTx.encodeUnsigned(unsignedTx)), KEY)
  return { unsignedTx, credentials: [{ type: 'Credential' as const, signatures: [signature] }] }
}
