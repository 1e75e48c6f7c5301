import { Id, isFirnError } from '@firn/codec'
import type { Networks, Upgrades } from '@firn/genesis'
import { PlatformBlock, PlatformTx, type Secp256k1, type Stakeable, type UnsignedTx } from '@firn/txs'
import { L1Message, Payload, SignedMessage } from '@firn/warp'
import type * as l1Messages from '../internal/l1Messages.ts'
import * as LedgerState from '../LedgerState.ts'
import * as Platform from '../Platform.ts'
import type * as Records from '../Records.ts'
import { load } from './recordings.ts'

/** A P-chain of the local genesis, with custom rules, on which blocks can be created. For tests only. */
export class PlatformTestChain {
  readonly state: LedgerState.LedgerState

  constructor(
    upgrades: Partial<Upgrades.Upgrades> = {},
    change: (constants: Networks.Constants) => Networks.Constants = (c) => c,
  ) {
    const { genesis, constants } = RECORDING
    this.state = LedgerState.create(
      genesis,
      change({ ...constants, upgrades: { ...constants.upgrades, ...upgrades } }),
    )
  }

  get tip() {
    return LedgerState.tip(this.state, 'P')
  }

  get platform() {
    return this.tip.platform as Records.PlatformTip
  }

  /** Returns the chain's time plus `seconds`. */
  after(seconds: number): bigint {
    return this.tip.time + BigInt(seconds)
  }

  /** Returns the bytes of the next block. */
  block(block: Body): Uint8Array {
    const { height, blockId: parentId } = this.tip
    return PlatformBlock.encode({
      parentID: parentId,
      height: height + 1n,
      ...block,
    } as PlatformBlock.PlatformBlock)
  }

  /** Returns the bytes of the next standard block, one second after the tip. */
  standard(...txs: UnsignedTx.UnsignedTx[]): Uint8Array {
    return this.block({ type: 'BanffStandardBlock', time: this.after(1), txs: txs.map(unsigned) })
  }

  accept(bytes: Uint8Array) {
    const changes = Platform.apply(this.state, bytes)
    LedgerState.commit(this.state, changes)
    return changes
  }

  /** Accepts a standard block with one transaction, and returns the transaction's id. */
  issue(tx: UnsignedTx.UnsignedTx): Uint8Array {
    this.accept(this.standard(tx))
    return idOf(tx)
  }

  /** Accepts a proposal, and then the block that decides it. */
  propose(tx: UnsignedTx.UnsignedTx, choice: 'Commit' | 'Abort', time = this.tip.time) {
    const isBanff = time >= this.state.rules.constants.upgrades.banff
    const proposal = isBanff
      ? { type: 'BanffProposalBlock', time, txs: [], tx: unsigned(tx) }
      : { type: 'ApricotProposalBlock', tx: unsigned(tx) }
    this.accept(this.block(proposal as Body))
    const option = isBanff ? { type: `Banff${choice}Block`, time } : { type: `Apricot${choice}Block` }
    return this.accept(this.block(option as Body))
  }

  /** Returns the error code with which a block of `txs` is rejected, or `none` if it is accepted. */
  refusal(...txs: UnsignedTx.UnsignedTx[]): string {
    return this.refusalOf(this.standard(...txs))
  }

  /** Returns the error code with which the block is rejected, or `none` if it is accepted. */
  refusalOf(bytes: Uint8Array): string {
    try {
      Platform.apply(this.state, bytes)
      return 'none'
    } catch (error) {
      if (isFirnError(error)) return error.code
      throw error
    }
  }

  /**
   * Returns the common fields of a transaction that spends a UTXO. The change output is reduced by `spent` nAVAX and
   * a fee.
   */
  base(spent = 0n, fee = 1_000_000n): Omit<UnsignedTx.Of<'BaseTx'>, 'type'> {
    for (const { utxo, chain, source } of this.state.tables.utxo.ordered()) {
      if (chain !== 'P' || source !== 'P') continue
      const { output } = utxo
      if (output.type !== 'TransferOutput' || output.locktime > 0n) continue
      if (output.amount < spent + 10n * fee) continue
      const input: In = {
        txID: utxo.txID,
        outputIndex: utxo.outputIndex,
        assetID: utxo.assetID,
        input: { type: 'TransferInput', amount: output.amount, signatureIndices: [0] },
      }
      return {
        networkID: 12345,
        blockchainID: Id.EMPTY,
        outputs: [this.out(output.amount - spent - fee)],
        inputs: [input],
        memo: new Uint8Array(),
      }
    }
    throw new RangeError('no UTXO with a sufficient amount is left')
  }

  out(amount: bigint): Stakeable.Out {
    return { assetID: this.state.rules.avaxAssetId, output: { type: 'TransferOutput', amount, ...OWNER } }
  }
}

type Body = { readonly [name: string]: unknown } & { readonly type: PlatformBlock.BlockType }
type In = Stakeable.In

const RECORDING = load('local')

/** Owners of test outputs. Their signatures are never checked. */
export const OWNER: Secp256k1.OutputOwners = {
  locktime: 0n,
  threshold: 1,
  addresses: [new Uint8Array(20).fill(7)],
}
/** {@link OWNER} with a member `type`. */
export const TYPED = { type: 'OutputOwners', ...OWNER } as const
/** An authorization whose signatures are never checked. */
export const AUTHORIZATION = { type: 'Input', signatureIndices: [0] } as const
/** Owner of L1 validators. */
export const L1_OWNER = { threshold: 1, addresses: OWNER.addresses }

/** Returns an artificial id of `length` bytes. */
export const id = (seed: number, length = 32) => new Uint8Array(length).fill(seed)
/** Returns an artificial node id. */
export const node = (seed: number) => id(seed, 20)
/** Returns an artificial BLS key with a proof of possession that is never checked. */
export const signer = (seed: number) => ({ publicKey: id(seed, 48), proofOfPossession: id(seed, 96) })

function unsigned(unsignedTx: UnsignedTx.UnsignedTx): PlatformTx.PlatformTx {
  return { unsignedTx, credentials: [] }
}

/** Returns the id of a transaction without credentials. */
export function idOf(tx: UnsignedTx.UnsignedTx): Uint8Array {
  return PlatformTx.id(PlatformTx.encode(unsigned(tx)))
}

/** Returns a signed Warp message from an L1's manager. */
export function message(
  sourceChainId: Uint8Array,
  sourceAddress: Uint8Array,
  call: l1Messages.Call,
): Uint8Array {
  const payload = Payload.encode({ type: 'AddressedCall', sourceAddress, payload: L1Message.encode(call) })
  return SignedMessage.encode({
    unsigned: { networkID: 12345, sourceChainID: sourceChainId, payload },
    signature: { type: 'BitSetSignature', signers: id(1, 1), signature: id(1, 96) },
  })
}
