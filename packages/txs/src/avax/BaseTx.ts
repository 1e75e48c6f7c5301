import { Bytes, Id } from '@firn/codec'
import * as Codec from '@firn/codec/Codec'
import { TxsError } from '../TxsError.ts'
import type { TransferableInput } from './TransferableInput.ts'
import type { TransferableOutput } from './TransferableOutput.ts'

/** Maximum length of a memo in bytes. */
export const MAX_MEMO = 256

/** The chain that a transaction's common fields are checked against. */
export interface Chain {
  readonly networkId: number
  /** Id of the chain that the transaction is for. */
  readonly blockchainId: Uint8Array
}

/** The common fields of P- and X-chain transactions. */
export interface BaseTx<O, I> {
  readonly networkID: number
  readonly blockchainID: Uint8Array
  readonly outputs: readonly TransferableOutput<O>[]
  readonly inputs: readonly TransferableInput<I>[]
  readonly memo: Uint8Array
}

/** Returns the codecs of the common fields, to be spread into the struct of each type. */
export function fields<O, I>(
  output: Codec.Codec<TransferableOutput<O>>,
  input: Codec.Codec<TransferableInput<I>>,
) {
  return {
    networkID: Codec.u32,
    blockchainID: Codec.id,
    outputs: Codec.array(output),
    inputs: Codec.array(input),
    memo: Codec.bytes(),
  }
}

/**
 * Checks that a transaction names the given network and chain, and that its memo is not too long.
 * @throws TxsError `TXS_NETWORK_ID`, `TXS_BLOCKCHAIN_ID`, `TXS_MEMO`
 */
export function assertMetadata(
  tx: Pick<BaseTx<unknown, unknown>, 'networkID' | 'blockchainID' | 'memo'>,
  chain: Chain,
): void {
  if (tx.networkID !== chain.networkId) {
    throw new TxsError('TXS_NETWORK_ID', `expected network id ${chain.networkId}, got ${tx.networkID}`, {
      details: { expected: chain.networkId, actual: tx.networkID },
    })
  }
  if (!Bytes.equals(tx.blockchainID, chain.blockchainId)) {
    const [expected, actual] = [Id.format(chain.blockchainId), Id.format(tx.blockchainID)]
    throw new TxsError('TXS_BLOCKCHAIN_ID', `expected blockchain id ${expected}, got ${actual}`, {
      details: { expected, actual },
    })
  }
  assertMemo(tx.memo)
}

/**
 * Checks that a memo is not too long.
 * @throws TxsError `TXS_MEMO`
 */
export function assertMemo({ length }: Uint8Array): void {
  if (length <= MAX_MEMO) return
  throw new TxsError('TXS_MEMO', `expected a memo of at most ${MAX_MEMO} bytes, got ${length}`, {
    details: { maximum: MAX_MEMO, actual: length },
  })
}

/**
 * Checks that an asset id is not zero.
 * @throws TxsError `TXS_ASSET_ID`
 */
export function assertAsset(assetId: Uint8Array): void {
  if (Bytes.isZero(assetId)) throw new TxsError('TXS_ASSET_ID', 'expected an asset id, got the zero id')
}
