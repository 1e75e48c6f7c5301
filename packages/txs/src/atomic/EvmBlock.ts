import { keccak_256 } from '@noble/hashes/sha3.js'
import * as Rlp from '../Rlp.ts'
import { TxsError } from '../TxsError.ts'

/** Number of fields that every header has; upgrades appended further fields. */
const REQUIRED_FIELDS = 16

/**
 * A header's fields in wire order. The last six were added by Helicon. Source: coreth `customheader`, and
 * recorded blocks.
 */
const HEADER = {
  parentHash: Rlp.toBytes,
  sha3Uncles: Rlp.toBytes,
  miner: Rlp.toBytes,
  stateRoot: Rlp.toBytes,
  transactionsRoot: Rlp.toBytes,
  receiptsRoot: Rlp.toBytes,
  logsBloom: Rlp.toBytes,
  difficulty: Rlp.toBigint,
  number: Rlp.toBigint,
  gasLimit: Rlp.toBigint,
  gasUsed: Rlp.toBigint,
  timestamp: Rlp.toBigint,
  extraData: Rlp.toBytes,
  mixHash: Rlp.toBytes,
  nonce: Rlp.toBytes,
  extDataHash: Rlp.toBytes,
  baseFeePerGas: Rlp.toBigint,
  extDataGasUsed: Rlp.toBigint,
  blockGasCost: Rlp.toBigint,
  blobGasUsed: Rlp.toBigint,
  excessBlobGas: Rlp.toBigint,
  parentBeaconBlockRoot: Rlp.toBytes,
  timestampMilliseconds: Rlp.toBigint,
  minDelayExcess: Rlp.toBigint,
  targetExponent: Rlp.toBigint,
  minPriceExponent: Rlp.toBigint,
  settledHeight: Rlp.toBigint,
  settledGasUnix: Rlp.toBigint,
  settledGasNumerator: Rlp.toBigint,
  settledExcess: Rlp.toBigint,
} as const
const FIELDS = Object.entries(HEADER) as [keyof Header, (item: Rlp.Item) => never][]

type OptionalField =
  | 'baseFeePerGas'
  | 'extDataGasUsed'
  | 'blockGasCost'
  | 'blobGasUsed'
  | 'excessBlobGas'
  | 'parentBeaconBlockRoot'
  | 'timestampMilliseconds'
  | 'minDelayExcess'
  | 'targetExponent'
  | 'minPriceExponent'
  | 'settledHeight'
  | 'settledGasUnix'
  | 'settledGasNumerator'
  | 'settledExcess'

/**
 * Fields of a C-chain header, named as in `eth_getBlockByNumber`. Fields that later upgrades added are absent in
 * earlier blocks (24 fields since Granite, 30 since Helicon). Times are in Unix seconds, except
 * `timestampMilliseconds`. Fees are in wei.
 */
export type Header = {
  readonly [K in Exclude<keyof typeof HEADER, OptionalField>]: ReturnType<(typeof HEADER)[K]>
} & { readonly [K in OptionalField]?: ReturnType<(typeof HEADER)[K]> }

/** A block of the C-chain. */
export interface EvmBlock {
  /** Keccak-256 (32 bytes) of the header's RLP. */
  readonly hash: Uint8Array
  readonly header: Header
  /**
   * Encoded transactions as they are in the block: the RLP list of a legacy transaction, otherwise the type
   * byte and its payload.
   */
  readonly transactions: readonly Uint8Array[]
  /** Version of `extData`; 0 in all known blocks. {@link decode} does not check it. */
  readonly version: bigint
  /** The encoded atomic transactions; empty if there are none. */
  readonly extData: Uint8Array
}

/** Number of RLP items of a block: header, transactions, uncles, version, atomic transactions. */
const BLOCK_ITEMS = 5

/**
 * Decodes the C-chain block in `bytes` (RLP: header, transactions, uncles, version, atomic transactions).
 * Does not decode the transactions, and checks no hash in the block.
 * @example
 * ```ts
 * import { EvmBlock } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // a C-chain block without its proposervm container
 * const { header, transactions } = EvmBlock.decode(bytes)
 * console.log(header.number, transactions.length)
 * ```
 * @throws TxsError `TXS_RLP`, `TXS_EVM_BLOCK`; `TXS_UNSUPPORTED` if the header has fields of a later upgrade
 */
export function decode(bytes: Uint8Array): EvmBlock {
  const parts = Rlp.items(Rlp.decode(bytes))
  const [header, transactions, uncles, version, extData] = parts as [
    Rlp.Item,
    Rlp.Item,
    Rlp.Item,
    Rlp.Item,
    Rlp.Item,
  ]
  if (parts.length !== BLOCK_ITEMS) throw malformed(`${BLOCK_ITEMS} items`, `${parts.length}`)
  if (!uncles.isList || uncles.payload.length > 0)
    throw malformed(
      'an empty list of uncles',
      `${uncles.isList ? 'a list' : 'a string'} of ${uncles.payload.length} bytes`,
    )
  return {
    hash: keccak_256(header.raw),
    header: readHeader(header),
    transactions: Rlp.items(transactions).map((item) => (item.isList ? item.raw : item.payload)),
    version: Rlp.toBigint(version),
    extData: Rlp.toBytes(extData),
  }
}

/**
 * Returns the hash (32 bytes) of a transaction encoded as in {@link EvmBlock.transactions}.
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmBlock } from '@firn/txs'
 *
 * declare const bytes: Uint8Array // a C-chain block
 * const hashes = EvmBlock.decode(bytes).transactions.map((tx) => Hex.encode(EvmBlock.transactionHash(tx)))
 * ```
 */
export function transactionHash(transaction: Uint8Array): Uint8Array {
  return keccak_256(transaction)
}

function readHeader(item: Rlp.Item): Header {
  const fields = Rlp.items(item)
  const range = `a header of ${REQUIRED_FIELDS} to ${FIELDS.length} fields`
  if (fields.length < REQUIRED_FIELDS) throw malformed(range, `${fields.length} fields`)
  if (fields.length > FIELDS.length) throw malformed(range, `${fields.length} fields`, 'TXS_UNSUPPORTED')
  const header: Partial<Record<keyof Header, unknown>> = {}
  fields.forEach((field, i) => {
    const [name, read] = FIELDS[i] as (typeof FIELDS)[number]
    header[name] = read(field)
  })
  return header as Header
}

function malformed(
  expected: string,
  got: string,
  code: 'TXS_EVM_BLOCK' | 'TXS_UNSUPPORTED' = 'TXS_EVM_BLOCK',
): TxsError {
  return new TxsError(code, `EVM block: expected ${expected}, got ${got}`)
}
