import { Bytes, Id } from '@firn/codec'
import { type Genesis, XChainGenesis } from '@firn/genesis'
import { Signature } from '@firn/keys'
import { AvmBlock, AvmTx, AvmUtxo, Utxo, type UtxoId, Vertex } from '@firn/txs'
import { fraction } from '../Seed.ts'
import { key } from '../State.ts'
import * as RecordedChain from './RecordedChain.ts'
import { ADDRESS, FEE, KEY } from './testKey.ts'

const NONE = new Uint8Array()
/** Number of X-chain blocks for each vertex. */
const BLOCKS_PER_VERTEX = 0.1

/** Number of sequences of transactions in which each spends the output of the previous one. */
const LANES = 8
/** Number of latest vertices from which the parents of a vertex are chosen. */
const WIDTH = 6
const MAX_PARENTS = 3

/** The X-chain before its linearization, and what its blocks need. */
export interface VertexGraph {
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
 * Generates the X-chain's vertices. Some vertices repeat a transaction of an earlier one, and some contain a
 * transaction that spends the output of a later one.
 */
export function create(genesis: Genesis.Genesis, count: number, seed: string): VertexGraph {
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

/** Returns the blocks that follow the vertices, each with one transaction. */
export function avmBlocks(
  first: RecordedChain.RecordedBlock,
  cortina: bigint,
  { blockCount, wallet }: VertexGraph,
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
    parent = RecordedChain.anonymous(parent, bytes, time)
    blocks.push(parent)
  }
  return blocks
}
