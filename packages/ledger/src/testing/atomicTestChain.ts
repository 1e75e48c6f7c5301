import type { ChainAlias } from '@firn/codec'
import type { AtomicTx, UtxoId } from '@firn/txs'
import * as Atomic from '../Atomic.ts'
import type { Change } from '../Change.ts'
import * as LedgerState from '../LedgerState.ts'
import type * as Records from '../Records.ts'
import { codeOf } from './avmTestChain.ts'
import * as evmBlocks from './evmBlocks.ts'
import { id, OWNER, PlatformTestChain } from './platformTestChain.ts'

/** A C-chain of the local genesis on which blocks can be created. For tests only. */
export class AtomicTestChain {
  readonly state: LedgerState.LedgerState

  /** Creates a test chain on the state of another test chain. */
  constructor({ state }: { readonly state: LedgerState.LedgerState } = new PlatformTestChain()) {
    this.state = state
  }

  get tip(): Records.Tip {
    return LedgerState.tip(this.state, 'C')
  }

  /** Returns the bytes of the next block, one second after the tip. */
  block(txs: readonly AtomicTx.UnsignedTx[], part: Partial<evmBlocks.Parts> = {}): Uint8Array {
    const { height, blockId, time } = this.tip
    return evmBlocks.encode({
      parentHash: blockId,
      number: height + 1n,
      timestamp: (time === 0n ? START : time) + 1n,
      txs: txs.map((unsignedTx) => ({ unsignedTx, credentials: [] })),
      ...part,
    })
  }

  accept(...txs: AtomicTx.UnsignedTx[]): Change[] {
    const changes = Atomic.apply(this.state, this.block(txs))
    LedgerState.commit(this.state, changes)
    return changes
  }

  /** Returns the error code with which a block of `txs` is rejected, or `none` if it is accepted. */
  refusal(...txs: AtomicTx.UnsignedTx[]): string {
    return this.refusalOf(this.block(txs))
  }

  refusalOf(bytes: Uint8Array): string {
    return codeOf(() => Atomic.apply(this.state, bytes))
  }

  exportTo(chain: ChainAlias, ...amounts: readonly bigint[]): AtomicTx.Of<'ExportTx'> {
    const { avaxAssetId: assetId, chainIds } = this.state.rules
    const amount = amounts.reduce((sum, item) => sum + item, 0n)
    return {
      type: 'ExportTx',
      networkID: 12345,
      blockchainID: chainIds.C,
      destinationChain: chainIds[chain],
      inputs: [{ address: id(4, 20), amount, assetID: assetId, nonce: this.tip.height }],
      exportedOutputs: amounts.map((value) => ({
        assetID: assetId,
        output: { type: 'TransferOutput', amount: value, ...OWNER },
      })),
    }
  }

  /** Returns a transaction that imports one UTXO of another chain, without a fee. */
  importFrom(
    chain: ChainAlias,
    { txID: txId, outputIndex }: UtxoId.UtxoId,
    amount: bigint,
  ): AtomicTx.Of<'ImportTx'> {
    const { avaxAssetId: assetId, chainIds } = this.state.rules
    const input = { type: 'TransferInput', amount, signatureIndices: [0] } as const
    return {
      type: 'ImportTx',
      networkID: 12345,
      blockchainID: chainIds.C,
      sourceChain: chainIds[chain],
      importedInputs: [{ txID: txId, outputIndex, assetID: assetId, input }],
      outputs: [{ address: id(4, 20), amount, assetID: assetId }],
    }
  }
}

/** Unix time in seconds after all recorded upgrades. The first block is one second later. */
const START = 1_791_000_000n
