import { Bytes, Hex, Id } from '@firn/codec'
import { XChainGenesis } from '@firn/genesis'
import { LedgerState, Vertices as LedgerVertices, VertexOrder } from '@firn/ledger'
import { AvmBlock, AvmTx, AvmUtxo, PlatformBlock, PlatformTx, Vertex } from '@firn/txs'
import type { Store } from '../Store.ts'
import * as Vertices from '../vertices/Vertices.ts'
import { Writer } from '../Writer.ts'
import { follow, type Recorded, type Recording } from './recordings.ts'

/** A network whose X-chain has vertices before its first block. */
export interface InventedDag extends Recording {
  /** The vertices, ascending by height and then by id. The stop vertex is the last one. */
  readonly vertices: readonly Uint8Array[]
  /** Number of transactions in them, each counted once. */
  readonly transactions: number
}

/** Size and shape of an invented DAG. */
export interface DagOptions {
  readonly transactions: number
  /** Vertices with equal seeds and sizes are equal. */
  readonly seed: number
  /** Number of further vertices below the others, which all contain the first transaction; 0 by default. */
  readonly base?: number
}

type Spendable = { readonly txId: Uint8Array; readonly outputIndex: number; readonly amount: bigint }

const FEE = 1_000_000n
const EXPORTED = 50n * FEE
const LANES = 6
const NONE = new Uint8Array()
const OWNER = { locktime: 0n, threshold: 1, addresses: [Id.hash(NONE).slice(0, 20)] }

/**
 * Invents vertices of the X-chain on the genesis of a recorded network: transfers, assets, an export to the P-chain and an
 * import from it, in any order and some in several vertices. P-chain block 1 imports that export, and block 2 exports
 * what the vertices import. X-chain block 1 spends an output that a vertex created. For tests only.
 */
export function inventedDag(recording: Recording, { transactions, seed, base = 0 }: DagOptions): InventedDag {
  const random = seeded(seed)
  const made = history(recording, transactions, random)
  const { genesis, constants } = recording
  const { vertices, stopId } = pack(genesis.xChain.blockchainId, made.txs, random, base)
  const upgrades = { ...constants.upgrades, cortinaXChainStopVertexId: stopId }
  const parentId = AvmBlock.id(XChainGenesis.firstBlock(stopId, upgrades.cortina))
  const time = upgrades.cortina + 1n
  const first = { type: 'StandardBlock', parentID: parentId, height: 1n, time, merkleRoot: Id.EMPTY } as const
  const X: Recorded[] = [{ chain: 'X', bytes: AvmBlock.encode({ ...first, txs: [made.last] }), parentId }]
  const chains = { P: made.blocks, X, C: [] }
  return { genesis, constants: { ...constants, upgrades }, chains, vertices, transactions: made.txs.length }
}

/**
 * Stores a network with vertices up to its last blocks: the vertices as they are given, or in the order of nodes. For tests
 * only.
 */
export async function storeDag(
  store: Store,
  dag: Omit<InventedDag, 'transactions'>,
  order: 'given' | 'nodes' = 'given',
): Promise<void> {
  const { writer, state, vertices: start } = await Writer.open(store, dag.genesis, dag.constants)
  const decoded = dag.vertices.map((bytes) => LedgerVertices.decode(bytes, state.rules.chainIds.X))
  let progress = start
  const advance = async ({ vertices, txs }: VertexOrder.VertexOrder) => {
    const known = await Vertices.known(store, vertices)
    const applied = LedgerVertices.apply(state, progress, vertices, known, txs)
    await writer.commit([{ ...applied, chain: 'X' }])
    LedgerState.commit(state, applied.changes)
    progress = applied.progress
  }
  const { cortinaXChainStopVertexId: stopId = Id.EMPTY } = dag.constants.upgrades
  await advance(order === 'nodes' ? VertexOrder.ofNode(decoded, stopId) : { vertices: decoded, txs: [] })
  const left = { P: [...dag.chains.P], C: [...dag.chains.C], X: [...dag.chains.X] }
  // Some transactions wait for what other chains export. The blocks of the X-chain follow all of them.
  if (progress.waiting.length > 0)
    for (const block of follow(state, { P: left.P, C: left.C })) {
      await writer.commit([block])
      left[block.chain].shift()
      await advance({ vertices: [], txs: [] })
      if (progress.waiting.length === 0) break
    }
  for (const block of follow(state, left)) await writer.commit([block])
}

function history(recording: Recording, count: number, random: () => number) {
  const { genesis } = recording
  const { avaxAssetId: assetId, networkId, xChain } = genesis
  const base = { networkID: networkId, memo: NONE }
  const output = (amount: bigint) => ({
    assetID: assetId,
    output: { type: 'TransferOutput' as const, amount, ...OWNER },
  })
  const spend = ({ txId, outputIndex, amount }: Spendable) => {
    const input = { type: 'TransferInput' as const, amount, signatureIndices: [0] }
    return { txID: txId, outputIndex, assetID: assetId, input }
  }
  const onX = { ...base, blockchainID: xChain.blockchainId }
  const onP = { ...base, blockchainID: Id.EMPTY }
  const txs: Uint8Array[] = []
  const add = (unsignedTx: AvmTx.UnsignedTx) => {
    const bytes = AvmTx.encode({ unsignedTx, credentials: [] })
    txs.push(bytes)
    return AvmTx.id(bytes)
  }
  const start = richest(genesis.xChain.genesisData, assetId)
  const share = start.amount / BigInt(LANES) - FEE
  const outputs = Array.from({ length: LANES }, () => output(share))
  const split = add({ type: 'BaseTx', ...onX, inputs: [spend(start)], outputs })
  const lanes: Spendable[] = outputs.map((_, i) => ({ txId: split, outputIndex: i, amount: share }))
  const advance = (
    lane: number,
    unsignedTx: (spent: Spendable, rest: bigint) => AvmTx.UnsignedTx,
    gain = 0n,
  ) => {
    const spent = lanes[lane] as Spendable
    const rest = spent.amount + gain - FEE
    lanes[lane] = { txId: add(unsignedTx(spent, rest)), outputIndex: 0, amount: rest }
  }
  // Block 1 of the P-chain imports what the X-chain exports here, and block 2 exports what the X-chain imports below.
  const exportedOutputs = [output(EXPORTED)]
  advance(
    0,
    (spent, rest) => {
      const parts = {
        inputs: [spend(spent)],
        outputs: [output(rest)],
        destinationChain: Id.EMPTY,
        exportedOutputs,
      }
      return { type: 'ExportTx', ...onX, ...parts }
    },
    -EXPORTED,
  )
  const exported = { txId: (lanes[0] as Spendable).txId, outputIndex: 1, amount: EXPORTED }
  const imported = unsigned({
    type: 'ImportTx',
    ...onP,
    inputs: [],
    outputs: [output(EXPORTED - FEE)],
    sourceChain: xChain.blockchainId,
    importedInputs: [spend(exported)],
  })
  const held = { txId: PlatformTx.id(PlatformTx.encode(imported)), outputIndex: 0, amount: EXPORTED - FEE }
  const sent = unsigned({
    type: 'ExportTx',
    ...onP,
    inputs: [spend(held)],
    outputs: [],
    destinationChain: xChain.blockchainId,
    exportedOutputs: [output(held.amount - FEE)],
  })
  const back = { txId: PlatformTx.id(PlatformTx.encode(sent)), outputIndex: 0, amount: held.amount - FEE }
  const both = (spent: Spendable, rest: bigint): AvmTx.UnsignedTx => {
    const parts = { inputs: [spend(spent)], outputs: [output(rest)], sourceChain: Id.EMPTY }
    return { type: 'ImportTx', ...onX, ...parts, importedInputs: [spend(back)] }
  }
  advance(1, both, back.amount)
  while (txs.length < count) {
    const lane = Math.floor(random() * LANES)
    if (random() < 0.1) advance(lane, (spent, rest) => asset(onX, [spend(spent)], [output(rest)], txs.length))
    else
      advance(lane, (spent, rest) => ({
        type: 'BaseTx',
        ...onX,
        inputs: [spend(spent)],
        outputs: [output(rest)],
      }))
  }
  const end = lanes[1] as Spendable
  const unsignedTx = {
    type: 'BaseTx',
    ...onX,
    inputs: [spend(end)],
    outputs: [output(end.amount - FEE)],
  } as const
  return { txs, last: { unsignedTx, credentials: [] }, blocks: platform(genesis, [imported, sent]) }
}

function unsigned(unsignedTx: PlatformTx.PlatformTx['unsignedTx']): PlatformTx.PlatformTx {
  return { unsignedTx, credentials: [] }
}

function asset(
  base: Pick<AvmTx.Of<'BaseTx'>, 'networkID' | 'blockchainID' | 'memo'>,
  inputs: readonly AvmTx.In[],
  outputs: readonly AvmTx.Out[],
  number: number,
): AvmTx.Of<'CreateAssetTx'> {
  const minted = [{ type: 'TransferOutput', amount: BigInt(number), ...OWNER }] as const
  const names = { name: `Asset ${number}`, symbol: 'DAG', denomination: 3 }
  return {
    type: 'CreateAssetTx',
    ...base,
    inputs,
    outputs,
    ...names,
    initialStates: [{ fxIndex: 0, outputs: minted }],
  }
}

function platform(
  { firstBlock, platform }: Recording['genesis'],
  txs: readonly PlatformTx.PlatformTx[],
): Recorded[] {
  let parentId = firstBlock.id
  return txs.map((tx, i) => {
    const time = platform.timestamp + BigInt(i + 1)
    const place = { time, parentID: parentId, height: BigInt(i + 1) }
    const bytes = PlatformBlock.encode({ type: 'BanffStandardBlock', ...place, txs: [tx] })
    const block: Recorded = { chain: 'P', bytes, parentId }
    parentId = PlatformBlock.id(bytes)
    return block
  })
}

/** Returns the output of the X-chain's genesis with the highest amount of AVAX. */
function richest(genesisData: Uint8Array, assetId: Uint8Array): Spendable {
  const all = XChainGenesis.decode(genesisData).txs.flatMap((one) =>
    AvmUtxo.of(XChainGenesis.transaction(one), assetId),
  )
  const [found] = all
    .flatMap(({ outputIndex, output }) =>
      output.type === 'TransferOutput' ? [{ txId: assetId, outputIndex, amount: output.amount }] : [],
    )
    .sort((a, b) => (a.amount > b.amount ? -1 : 1))
  if (found === undefined)
    throw new RangeError('the genesis has no UTXO on the X-chain that the test could spend')
  return found
}

type Built = { readonly id: Uint8Array; readonly bytes: Uint8Array; readonly height: bigint }

function chainOf(chainId: Uint8Array, tx: Uint8Array, count: number): Built[] {
  const built: Built[] = []
  for (let height = 0n; height < BigInt(count); height++) {
    const parentIds = built.slice(-1).map(({ id }) => id)
    const contents = { chainID: chainId, height, parentIDs: parentIds, txs: [tx] }
    const bytes = Vertex.encode(Vertex.build(contents))
    built.push({ id: Vertex.id(bytes), bytes, height })
  }
  return built
}

function pack(chainId: Uint8Array, txs: readonly Uint8Array[], random: () => number, base: number) {
  const below = (limit: number) => Math.floor(random() * limit)
  // Transactions stay near their place, so that most of them come after those whose outputs they spend.
  const left = txs.map((tx, i) => ({ tx, at: i + 12 * random() })).toSorted((a, b) => a.at - b.at)
  const built = chainOf(chainId, txs[0] as Uint8Array, base)
  const childless = new Map(built.slice(-1).map((one) => [Hex.encodeBare(one.id), one]))
  let before: Uint8Array | undefined
  while (left.length > 0) {
    const taken = left.splice(0, 1 + below(3)).map(({ tx }) => tx)
    const again = before !== undefined && random() < 0.3 ? [before] : []
    before = taken[0]
    const parents = new Set(Array.from({ length: 1 + below(3) }, () => built.slice(-5)[below(5)]))
    parents.delete(undefined)
    const known = [...parents] as Built[]
    const height = known.reduce((most, parent) => (parent.height >= most ? parent.height + 1n : most), 0n)
    const parts = {
      chainID: chainId,
      height,
      parentIDs: known.map(({ id }) => id),
      txs: [...taken, ...again],
    }
    const bytes = Vertex.encode(Vertex.build(parts))
    const vertex = { id: Vertex.id(bytes), bytes, height }
    built.push(vertex)
    for (const { id } of known) childless.delete(Hex.encodeBare(id))
    childless.set(Hex.encodeBare(vertex.id), vertex)
    if (childless.size > 8) {
      // A vertex has at most 128 parents, so loose ends are tied together with a transaction that they have already.
      const ends = [...childless.values()]
      const top = ends.reduce((most, end) => (end.height >= most ? end.height + 1n : most), 0n)
      const knot = {
        chainID: chainId,
        height: top,
        parentIDs: ends.map(({ id }) => id),
        txs: [before as Uint8Array],
      }
      const tied = Vertex.encode(Vertex.build(knot))
      const one = { id: Vertex.id(tied), bytes: tied, height: top }
      built.push(one)
      childless.clear()
      childless.set(Hex.encodeBare(one.id), one)
    }
  }
  const height = built.reduce((most, one) => (one.height >= most ? one.height + 1n : most), 0n)
  const parentIds = [...childless.values()].map(({ id }) => id)
  const stop = Vertex.encode(Vertex.buildStop({ chainID: chainId, height, parentIDs: parentIds }))
  const ordered = built.toSorted((a, b) => Number(a.height - b.height) || Bytes.compare(a.id, b.id))
  return { vertices: [...ordered.map(({ bytes }) => bytes), stop], stopId: Vertex.id(stop) }
}

/** Returns a generator of numbers in [0, 1) that depend only on the seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
