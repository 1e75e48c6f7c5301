import { Id } from '@firn/codec'
import { AvmBlock, AvmTx, PlatformBlock, PlatformTx } from '@firn/txs'
import * as LedgerState from '../LedgerState.ts'
import type * as Platform from '../Platform.ts'
import { load } from './recordings.ts'

/** A state, and consecutive blocks with one transfer each. For benchmarks and tests only. */
export interface Chain {
  readonly state: LedgerState.LedgerState
  readonly blocks: readonly Uint8Array[]
}

/**
 * The UTXO that the next transfer spends: the largest one of the genesis, then the change of the previous transfer.
 * Each transfer also creates an output of 1 nAVAX.
 */
interface Coin {
  readonly txId: Uint8Array
  readonly outputIndex: number
  readonly amount: bigint
}

const FEE = 100_000n

function transfer(
  blockchainId: Uint8Array,
  assetId: Uint8Array,
  { txId, outputIndex, amount }: Coin,
  i: number,
) {
  const out = (value: bigint) => ({
    assetID: assetId,
    output: {
      type: 'TransferOutput',
      amount: value,
      locktime: 0n,
      threshold: 1,
      addresses: [owner(i)],
    } as const,
  })
  const input = { type: 'TransferInput', amount, signatureIndices: [0] } as const
  return {
    type: 'BaseTx',
    networkID: 12345,
    blockchainID: blockchainId,
    outputs: [out(1n), out(amount - 1n - FEE)],
    inputs: [{ txID: txId, outputIndex, assetID: assetId, input }],
    memo: new Uint8Array(),
  } as const
}

function owner(i: number): Uint8Array {
  const address = new Uint8Array(20)
  new DataView(address.buffer).setUint32(0, i)
  return address
}

/** A credential with an invalid signature, which is accepted because signatures are not checked. */
const SIGNED = { type: 'Credential', signatures: [new Uint8Array(65)] } as const

function start(chain: 'P' | 'X') {
  const { genesis, constants } = load('local')
  const state = LedgerState.create(genesis, constants)
  const coins = [...state.tables.utxo.ordered()].flatMap(
    ({ chain: own, utxo: { output, txID: txId, outputIndex } }) =>
      own === chain && output.type === 'TransferOutput' ? [{ txId, outputIndex, amount: output.amount }] : [],
  )
  coins.sort((a, b) => Number(b.amount - a.amount))
  const { blockId, time } = LedgerState.tip(state, chain)
  return { state, coin: coins[0] as Coin, blockId, time }
}

/** Returns a state and `length` blocks of the P-chain. */
export function platform(length: number): Chain {
  const { state, ...from } = start('P')
  let { coin, blockId: parentId } = from
  const blocks: Uint8Array[] = []
  for (let i = 0; i < length; i++) {
    const unsignedTx = transfer(Id.EMPTY, state.rules.avaxAssetId, coin, i)
    const tx = { unsignedTx, credentials: [SIGNED] }
    const txId = PlatformTx.id(PlatformTx.encode(tx))
    coin = { txId, outputIndex: 1, amount: coin.amount - 1n - FEE }
    const time = from.time + BigInt(i + 1)
    const bytes = PlatformBlock.encode({
      type: 'BanffStandardBlock',
      time,
      parentID: parentId,
      height: BigInt(i + 1),
      txs: [tx],
    })
    parentId = PlatformBlock.id(bytes)
    blocks.push(bytes)
  }
  return { state, blocks }
}

/** Returns a state and `length` blocks of the X-chain. */
export function avm(length: number): Chain {
  const { state, ...from } = start('X')
  const { avaxAssetId, chainIds } = state.rules
  let { coin, blockId: parentId } = from
  const blocks: Uint8Array[] = []
  for (let i = 0; i < length; i++) {
    const tx = { unsignedTx: transfer(chainIds.X, avaxAssetId, coin, i), credentials: [SIGNED] }
    const txId = AvmTx.id(AvmTx.encode(tx))
    coin = { txId, outputIndex: 1, amount: coin.amount - 1n - FEE }
    const block = {
      type: 'StandardBlock',
      parentID: parentId,
      height: BigInt(i + 1),
      time: from.time,
      merkleRoot: Id.EMPTY,
    } as const
    const bytes = AvmBlock.encode({ ...block, txs: [tx] })
    parentId = AvmBlock.id(bytes)
    blocks.push(bytes)
  }
  return { state, blocks }
}

/** Applies all blocks, and then reverts them. */
export function run({ state, blocks }: Chain, apply: typeof Platform.apply): void {
  const taken = blocks.map((block) => {
    const changes = apply(state, block)
    LedgerState.commit(state, changes)
    return changes
  })
  for (const changes of taken.reverse()) LedgerState.revert(state, changes)
}
