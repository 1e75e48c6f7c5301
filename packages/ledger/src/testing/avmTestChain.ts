import { Bytes, type ChainAlias, Id, isFirnError } from '@firn/codec'
import { AvmBlock, type AvmFx, AvmTx, type UtxoId } from '@firn/txs'
import * as Avm from '../Avm.ts'
import type { Change } from '../Change.ts'
import * as LedgerState from '../LedgerState.ts'
import type * as Records from '../Records.ts'
import { OWNER, PlatformTestChain } from './platformTestChain.ts'

type Base = Omit<AvmTx.Of<'BaseTx'>, 'type'>
type Block = AvmBlock.AvmBlock

/** An X-chain of the local genesis on which blocks can be created. For tests only. */
export class AvmTestChain {
  readonly state: LedgerState.LedgerState

  /** Creates a test chain on the state of another test chain. */
  constructor({ state }: { readonly state: LedgerState.LedgerState } = new PlatformTestChain()) {
    this.state = state
  }

  get tip(): Records.Tip {
    return LedgerState.tip(this.state, 'X')
  }

  /** Returns the bytes of the next block, one second after the tip. */
  block(txs: readonly AvmTx.UnsignedTx[], part: Partial<Block> = {}): Uint8Array {
    const { height, blockId: parentId, time } = this.tip
    return AvmBlock.encode({
      type: 'StandardBlock',
      parentID: parentId,
      height: height + 1n,
      time: time + 1n,
      merkleRoot: Id.EMPTY,
      txs: txs.map((unsignedTx) => ({ unsignedTx, credentials: [] })),
      ...part,
    })
  }

  accept(...txs: AvmTx.UnsignedTx[]): Change[] {
    const changes = Avm.apply(this.state, this.block(txs))
    LedgerState.commit(this.state, changes)
    return changes
  }

  /** Accepts a block with one transaction, and returns the transaction's id. */
  issue(tx: AvmTx.UnsignedTx): Uint8Array {
    this.accept(tx)
    return idOf(tx)
  }

  /** Returns the error code with which a block of `txs` is rejected, or `none` if it is accepted. */
  refusal(...txs: AvmTx.UnsignedTx[]): string {
    return this.refusalOf(this.block(txs))
  }

  refusalOf(bytes: Uint8Array): string {
    return codeOf(() => Avm.apply(this.state, bytes))
  }

  /**
   * Returns the common fields of a transaction that spends AVAX. The change output is reduced by `spent` and a fee.
   */
  base(spent = 0n, fee = 1_000_000n): Base {
    const { avaxAssetId } = this.state.rules
    const input = this.input(avaxAssetId, spent + fee)
    return {
      networkID: 12345,
      blockchainID: this.state.rules.chainIds.X,
      outputs: [this.out(input.input.amount - spent - fee)],
      inputs: [input],
      memo: new Uint8Array(),
    }
  }

  /** Returns an input that spends a UTXO with at least the given amount of an asset. */
  input(assetId: Uint8Array, least = 1n): AvmTx.In {
    for (const { utxo, chain, source } of this.state.tables.utxo.ordered()) {
      const { output, txID: txId, outputIndex } = utxo
      if (chain !== 'X' || source !== 'X' || !Bytes.equals(utxo.assetID, assetId)) continue
      if (output.type !== 'TransferOutput' || output.amount < least) continue
      const input = { type: 'TransferInput', amount: output.amount, signatureIndices: [0] } as const
      return { txID: txId, outputIndex, assetID: assetId, input }
    }
    throw new RangeError('no UTXO with a sufficient amount is left')
  }

  out(amount: bigint, assetId = this.state.rules.avaxAssetId): AvmTx.Out {
    return { assetID: assetId, output: { type: 'TransferOutput', amount, ...OWNER } }
  }

  /** Returns a transaction that creates an asset with the given initial states. */
  createAsset(initialStates: readonly AvmTx.InitialState[]): AvmTx.Of<'CreateAssetTx'> {
    const asset = { name: 'Made', symbol: 'MADE', denomination: 2 }
    return { type: 'CreateAssetTx', ...this.base(), ...asset, initialStates }
  }

  operate(
    assetId: Uint8Array,
    inputIds: readonly UtxoId.UtxoId[],
    operation: AvmFx.Action,
  ): AvmTx.Of<'OperationTx'> {
    return {
      type: 'OperationTx',
      ...this.base(),
      operations: [{ assetID: assetId, inputIDs: inputIds, operation }],
    }
  }

  exportTo(chain: ChainAlias, amount: bigint): AvmTx.Of<'ExportTx'> {
    const destinationChain = this.state.rules.chainIds[chain]
    return { type: 'ExportTx', ...this.base(amount), destinationChain, exportedOutputs: [this.out(amount)] }
  }

  /** Returns a transaction that imports one UTXO of another chain, without a fee. */
  importFrom(
    chain: ChainAlias,
    { txID: txId, outputIndex }: UtxoId.UtxoId,
    amount: bigint,
  ): AvmTx.Of<'ImportTx'> {
    const { avaxAssetId: assetId, chainIds } = this.state.rules
    const input = { type: 'TransferInput', amount, signatureIndices: [0] } as const
    return {
      type: 'ImportTx',
      networkID: 12345,
      blockchainID: chainIds.X,
      outputs: [this.out(amount)],
      inputs: [],
      memo: new Uint8Array(),
      sourceChain: chainIds[chain],
      importedInputs: [{ txID: txId, outputIndex, assetID: assetId, input }],
    }
  }
}

/** Returns the id of a transaction without credentials. */
export function idOf(unsignedTx: AvmTx.UnsignedTx): Uint8Array {
  return AvmTx.id(AvmTx.encode({ unsignedTx, credentials: [] }))
}

/** Runs `run` and returns the code of the error that it throws, or `none`. */
export function codeOf(run: () => unknown): string {
  try {
    run()
    return 'none'
  } catch (error) {
    if (isFirnError(error)) return error.code
    throw error
  }
}

/** Returns the UTXOs that changes create, in order. */
export function madeBy(changes: readonly Change[]): Records.Utxo[] {
  return changes.flatMap((change) => (change.type === 'utxo' ? (change.after ?? []) : []))
}
