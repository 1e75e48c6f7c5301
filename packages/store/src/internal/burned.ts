import { Bytes, type ChainAlias } from '@firn/codec'
import { AtomicFees, AtomicTx, AvmTx, PlatformTx, Stakeable, UnsignedTx } from '@firn/txs'

/** The AVAX that a transaction burns, in nAVAX. */
export interface Burned {
  /** What the transaction consumes minus what it produces and stakes, without `deposited`. */
  readonly fee: bigint
  /** What the transaction adds to balances of L1 validators, from which their fees are burned later. */
  readonly deposited: bigint
}

const OF_CHAIN: { readonly [Chain in ChainAlias]: (bytes: Uint8Array, assetId: Uint8Array) => Burned } = {
  P: ofPlatform,
  X: (bytes, assetId) => ({ fee: ofAvm(bytes, assetId), deposited: 0n }),
  C: (bytes, assetId) => ({ fee: AtomicFees.burned(AtomicTx.decode(bytes), assetId), deposited: 0n }),
}

/**
 * Returns the AVAX that an accepted transaction burns. The inputs of a transaction name their amounts, so its bytes
 * suffice.
 * @throws CodecError if the bytes are malformed
 */
export function burnedBy(chain: ChainAlias, bytes: Uint8Array, avaxAssetId: Uint8Array): Burned {
  return OF_CHAIN[chain](bytes, avaxAssetId)
}

function ofPlatform(bytes: Uint8Array, assetId: Uint8Array): Burned {
  const { unsignedTx: tx } = PlatformTx.decode(bytes)
  const inputs = UnsignedTx.inputs(tx)
  if (inputs.length === 0) return { fee: 0n, deposited: 0n }
  const own = 'outputs' in tx ? tx.outputs : []
  const outputs = [...own, ...UnsignedTx.stake(tx), ...(UnsignedTx.exported(tx)?.outputs ?? [])]
  const consumed = inputs.map((one) => ({
    assetId: one.assetID,
    amount: Stakeable.unlockedInput(one.input).amount,
  }))
  const produced = outputs.map((one) => ({
    assetId: one.assetID,
    amount: Stakeable.unlocked(one.output).amount,
  }))
  const deposited = depositedBy(tx)
  return { fee: sumOf(consumed, assetId) - sumOf(produced, assetId) - deposited, deposited }
}

/** Returns what a transaction adds to balances of L1 validators. */
function depositedBy(tx: UnsignedTx.UnsignedTx): bigint {
  if (tx.type === 'ConvertSubnetToL1Tx') return tx.validators.reduce((sum, { balance }) => sum + balance, 0n)
  return tx.type === 'RegisterL1ValidatorTx' || tx.type === 'IncreaseL1ValidatorBalanceTx' ? tx.balance : 0n
}

function ofAvm(bytes: Uint8Array, assetId: Uint8Array): bigint {
  const { unsignedTx: tx } = AvmTx.decode(bytes)
  const inputs = [...tx.inputs, ...(AvmTx.imported(tx)?.inputs ?? [])]
  // The transactions of the genesis create their outputs from nothing.
  if (inputs.length === 0) return 0n
  const outputs = [...tx.outputs, ...(AvmTx.exported(tx)?.outputs ?? [])]
  const consumed = inputs.map((one) => ({ assetId: one.assetID, amount: one.input.amount }))
  const produced = outputs.map((one) => ({ assetId: one.assetID, amount: one.output.amount }))
  return sumOf(consumed, assetId) - sumOf(produced, assetId)
}

function sumOf(
  shares: readonly { readonly assetId: Uint8Array; readonly amount: bigint }[],
  assetId: Uint8Array,
) {
  return shares.reduce((sum, share) => (Bytes.equals(share.assetId, assetId) ? sum + share.amount : sum), 0n)
}
