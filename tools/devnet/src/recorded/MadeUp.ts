import { Bytes, type ChainAlias, Id } from '@firn/codec'
import { Genesis, type GenesisConfig, Networks, Upgrades, XChainGenesis } from '@firn/genesis'
import { NetworkGenesis } from '@firn/genesis-data'
import { PrivateKey, PublicKey, Signature } from '@firn/keys'
import { AvmBlock, AvmTx, AvmUtxo, PlatformBlock, PlatformTx, Utxo, type UtxoId, Vertex } from '@firn/txs'
import { DevnetError } from '../DevnetError.ts'
import { fraction } from '../Seed.ts'
import { key } from '../State.ts'
import * as RecordedChain from './RecordedChain.ts'
import * as RecordedNetwork from './RecordedNetwork.ts'

/** Options of {@link create}. */
export interface MadeUpOptions {
  /** 1 and 5 have the genesis of Mainnet and Fuji; other networks have one of their own. */
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

/** A made-up network, and its genesis file if it is not Mainnet or Fuji. */
export interface MadeUpNetwork {
  readonly network: RecordedNetwork.RecordedNetwork
  readonly genesisConfig: GenesisConfig.GenesisConfig | undefined
}

/**
 * Start of a made-up genesis: 2020-09-10, before all upgrades, so that there are vertices and Apricot blocks.
 */
const START_TIME = 1_599_696_000n
/** Number of X-chain blocks for each vertex. */
const BLOCKS_PER_VERTEX = 0.1

/**
 * Makes up a network: a P-chain on which the time advances, and on networks with a genesis of their own an X-chain with
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
}: MadeUpOptions): Promise<MadeUpNetwork> {
  const isPublic = networkId === Networks.MAINNET.networkId || networkId === Networks.FUJI.networkId
  if (networkId === Networks.LOCAL.networkId)
    throw new DevnetError(
      'DEVNET_OPTIONS',
      `network ${networkId} has no time before Banff; expected 1, 5 or the id of a custom network`,
    )
  if (isPublic && vertices > 0)
    throw new DevnetError(
      'DEVNET_OPTIONS',
      `the vertices of network ${networkId} cannot be made up, because its stop vertex is known`,
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
  const graph = vertices > 0 ? createGraph(genesis, vertices, seed) : undefined
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
  graph?: Graph,
): RecordedNetwork.RecordedNetwork {
  const chains: Record<ChainAlias, RecordedChain.RecordedChain> = RecordedNetwork.firstChains(rules)
  chains.P = RecordedChain.create('P', chains.P.chainId, [
    ...chains.P.blocks,
    ...platformBlocks(rules.genesis, count, rules.constants.ids !== undefined),
  ])
  if (graph !== undefined) {
    const { chainId, blocks } = chains.X
    const [first] = blocks as [RecordedChain.RecordedBlock]
    const more = avmBlocks(first, rules.constants.upgrades.cortina, graph)
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
        : anonymous(parent, bytes, time)
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

/** Wraps a block in a container without a proposer. */
function anonymous(
  parent: RecordedChain.RecordedBlock,
  block: Uint8Array,
  timestamp: bigint,
): RecordedChain.RecordedBlock {
  const unsigned = { parentID: parent.id, timestamp, pChainHeight: 0n, certificate: NONE, block }
  return RecordedChain.wrapped({ type: 'Block', ...unsigned, signature: NONE }, Id.hash(block))
}

/** The public test key that owns the AVAX of the local network. */
const KEY = PrivateKey.parse('PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN')
const ADDRESS = PublicKey.address(PrivateKey.publicKey(KEY))
const FEE = 1_000_000n
/** Number of sequences of transactions in which each spends the output of the previous one. */
const LANES = 8
/** Number of latest vertices from which the parents of a vertex are chosen. */
const WIDTH = 6
const MAX_PARENTS = 3

/** The X-chain before its linearization, and what its blocks need. */
interface Graph {
  readonly stopId: Uint8Array
  readonly vertices: RecordedChain.RecordedChain['vertices']
  readonly blockCount: number
  readonly wallet: Wallet
}

/** A source of signed X-chain transactions. */
interface Wallet {
  /** Returns the next transaction of a lane. */
  next(lane: number): AvmTx.AvmTx
}

type Coin = UtxoId.UtxoId & { readonly amount: bigint }

/** Creates a wallet of the test key. Its first transaction splits the largest UTXO of the genesis into the lanes. */
function createWallet({ xChain, networkId, avaxAssetId }: Genesis.Genesis): Wallet {
  let lanes: Coin[] = []
  return {
    next(lane) {
      if (lanes.length > 0) {
        const spent = lanes[lane] as Coin
        const [tx, coins] = transfer(spent, [spent.amount - FEE])
        lanes[lane] = coins[0] as Coin
        return tx
      }
      const spent = largestCoin(xChain.genesisData)
      const share = (spent.amount - FEE) / BigInt(LANES)
      const [tx, coins] = transfer(spent, Array<bigint>(LANES).fill(share))
      lanes = coins
      return tx
    },
  }

  function transfer(spent: Coin, amounts: readonly bigint[]): [AvmTx.AvmTx, Coin[]] {
    const outputs = amounts.map((amount) => ({
      assetID: avaxAssetId,
      output: { type: 'TransferOutput' as const, amount, locktime: 0n, threshold: 1, addresses: [ADDRESS] },
    }))
    const { txID: txId, outputIndex, amount } = spent
    const input = { type: 'TransferInput' as const, amount, signatureIndices: [0] }
    const unsignedTx = {
      type: 'BaseTx' as const,
      networkID: networkId,
      blockchainID: xChain.blockchainId,
      outputs,
      inputs: [{ txID: txId, outputIndex, assetID: avaxAssetId, input }],
      memo: NONE,
    }
    const signature = Signature.sign(Id.hash(AvmTx.encodeUnsigned(unsignedTx)), KEY)
    const tx = { unsignedTx, credentials: [{ type: 'Credential' as const, signatures: [signature] }] }
    const id = AvmTx.id(AvmTx.encode(tx))
    return [tx, Utxo.of(id, outputs).map(({ output, ...coin }) => ({ ...coin, amount: output.amount }))]
  }
}

/** Returns the largest UTXO that the X-chain's genesis gives to the test key. */
function largestCoin(genesisData: Uint8Array): Coin {
  const coins = XChainGenesis.decode(genesisData).txs.flatMap((asset) => {
    const txId = XChainGenesis.assetId(asset)
    return AvmUtxo.of(XChainGenesis.transaction(asset), txId).flatMap(({ outputIndex, output }) =>
      output.type === 'TransferOutput' && output.addresses.some((address) => Bytes.equals(address, ADDRESS))
        ? [{ txID: txId, outputIndex, amount: output.amount }]
        : [],
    )
  })
  return coins.reduce((most, coin) => (coin.amount > most.amount ? coin : most))
}

/**
 * Makes up the X-chain's vertices. Some vertices repeat a transaction of an earlier one, and some contain a
 * transaction that spends the output of a later one.
 */
function createGraph(genesis: Genesis.Genesis, count: number, seed: string): Graph {
  const { xChain } = genesis
  const wallet = createWallet(genesis)
  const vertices = new Map<string, RecordedChain.RecordedVertex>()
  const leaves = new Set<string>()
  const latest: { readonly id: Uint8Array; readonly height: bigint }[] = []
  const draw = (label: string, i: number, below: number) => Math.floor(fraction(seed, label, i) * below)
  let held: Uint8Array | undefined
  let last: Uint8Array | undefined
  for (let i = 0; i < count; i++) {
    const lane = draw('lane', i, LANES)
    const fresh = AvmTx.encode(wallet.next(lane))
    let txs = [fresh]
    if (held !== undefined) {
      // The transaction that was held back comes after the one that spends its output.
      txs = [held, AvmTx.encode(wallet.next(draw('other', i, LANES)))]
      txs.push(fresh)
      held = undefined
    } else if (i + 1 < count && draw('swap', i, 7) === 0) {
      held = fresh
      txs = [AvmTx.encode(wallet.next(lane))]
    } else if (last !== undefined && draw('repeat', i, 5) === 0) txs.push(last)
    last = txs[0]
    const parents = chooseParents(latest, (n) => draw(`parent ${n}`, i, latest.length))
    const height = heightAbove(parents.map((parent) => parent.height))
    const parentIds = parents.map(({ id }) => id)
    const id = add(Vertex.build({ chainID: xChain.blockchainId, height, parentIDs: parentIds, txs }))
    latest.push({ id, height })
    if (latest.length > WIDTH) latest.shift()
  }
  const tips = [...leaves].map((id) => vertices.get(id) as RecordedChain.RecordedVertex)
  const height = heightAbove(tips.map(({ bytes }) => Vertex.decode(bytes).height))
  const parentIds = tips.map(({ bytes }) => Vertex.id(bytes))
  const stopId = add(Vertex.buildStop({ chainID: xChain.blockchainId, height, parentIDs: parentIds }))
  return { stopId, vertices, blockCount: Math.ceil(count * BLOCKS_PER_VERTEX), wallet }

  function add(vertex: Vertex.Vertex): Uint8Array {
    const bytes = Vertex.encode(vertex)
    const id = Vertex.id(bytes)
    for (const parentId of vertex.parentIDs) leaves.delete(key(parentId))
    leaves.add(key(id))
    vertices.set(key(id), { bytes, parentIds: vertex.parentIDs })
    return id
  }
}

/** Returns the height of a vertex from the heights of its parents. */
function heightAbove(heights: readonly bigint[]): bigint {
  return heights.reduce<bigint>((least, height) => (height < least ? least : height + 1n), 0n)
}

/** Chooses up to three parents. The oldest of the latest vertices is always one, so that few leaves remain. */
function chooseParents<V>(latest: readonly V[], draw: (n: number) => number): readonly V[] {
  const chosen = new Set(latest.slice(0, 1))
  for (let n = 1; n < MAX_PARENTS && latest.length > 0; n++) chosen.add(latest[draw(n)] as V)
  return [...chosen]
}

function avmBlocks(
  first: RecordedChain.RecordedBlock,
  cortina: bigint,
  { blockCount, wallet }: Graph,
): RecordedChain.RecordedBlock[] {
  const blocks: RecordedChain.RecordedBlock[] = []
  let parent = first
  for (let i = 1; i <= blockCount; i++) {
    const time = cortina + BigInt(i)
    const bytes = AvmBlock.encode({
      type: 'StandardBlock',
      parentID: parent.innerId,
      height: BigInt(i),
      time,
      merkleRoot: Id.EMPTY,
      txs: [wallet.next(i % LANES)],
    })
    parent = anonymous(parent, bytes, time)
    blocks.push(parent)
  }
  return blocks
}
