import { Hex } from '@firn/codec'
import type { EvmChain, EvmSnapshot, EvmTransactions } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { Decoded, type DecodedBody } from '../decoding/Decoded.ts'
import { chainIdText } from './ChainInfo.ts'
import { Finality, finalityAt, inBlock } from './EvmBlock.ts'
import { type Contracts, RichAddress, richAddress } from './RichAddress.ts'

/** The method that a transaction calls. */
export const Method = Schema.object('Method', 'The method that a transaction calls', {
  callType: Schema.choice(
    ['NATIVE_TRANSFER', 'CONTRACT_CALL', 'CONTRACT_CREATION'],
    'Kind of transaction',
    'CONTRACT_CALL',
  ),
  methodHash: Schema.text(
    'First four bytes of the call data; empty if the transaction is not a contract call',
    '0xa9059cbb',
  ),
  methodName: Schema.optional(
    Schema.text('Signature of the method, if it is known', 'transfer(address,uint256)'),
  ),
})

const members = {
  ...inBlock,
  blockMinDelayExcess: Schema.optional(
    Schema.integer('Minimum delay to the next block, as the excess in the header of the block', 7_970_124),
  ),
  chainId: chainIdText,
  blockIndex: Schema.integer('Index of the transaction in its block', 0),
  txHash: Field.hash('Hash of the transaction'),
  txStatus: Schema.text('`1` for success, `0` for failure', '1'),
  txType: Schema.integer('EIP-2718 type of the transaction', 2),
  gasLimit: Field.gas('Gas limit', '90000'),
  gasUsed: Field.gas('Gas used', '48211'),
  gasPrice: Field.wei('Price paid for each unit of gas'),
  nonce: Schema.text('Nonce of the sender, as decimal text', '17'),
  from: Schema.as(RichAddress, 'Sender'),
  to: Schema.as(RichAddress, 'Recipient; the zero address for the creation of a contract'),
  method: Schema.optional(Schema.as(Method, 'Method that the transaction calls')),
  value: Field.wei('Transferred amount', '1000000000000000000'),
  finality: Finality,
}

/** A transaction in a list. */
export const NativeTransaction = Schema.object('NativeTransaction', 'A transaction of an EVM chain', members)

/** A transaction with its input data and fee caps. */
export const FullNativeTransaction = Schema.object(
  'FullNativeTransactionDetails',
  'A transaction of an EVM chain with its input data and fee caps',
  {
    ...members,
    input: Field.hex('Input data', '0xa9059cbb'),
    decoded: Schema.optional(
      Schema.as(Decoded, 'The decoded call of a contract; present with `decode=true`'),
    ),
    baseFeePerGas: Field.wei('Base fee of the block for each unit of gas'),
    maxFeePerGas: Schema.optional(Field.wei('Fee cap for each unit of gas', '60000000000')),
    maxPriorityFeePerGas: Schema.optional(Field.wei('Priority fee cap for each unit of gas', '1000000000')),
  },
)

/** Returns a transaction in the Data API's format. */
export function nativeTransaction(
  { chainId }: EvmChain,
  at: EvmSnapshot,
  listed: EvmTransactions.Transaction,
  contracts: Contracts,
) {
  return {
    blockNumber: String(listed.height),
    blockTimestamp: listed.time,
    blockTimestampMilliseconds: listed.timeMilliseconds ?? undefined,
    blockMinDelayExcess: listed.minDelayExcess ?? undefined,
    blockHash: Hex.encode(listed.blockHash),
    chainId: String(chainId),
    blockIndex: listed.index,
    txHash: Hex.encode(listed.hash),
    txStatus: listed.succeeded ? '1' : '0',
    txType: listed.type,
    gasLimit: String(listed.gasLimit),
    gasUsed: String(listed.gasUsed),
    gasPrice: String(listed.gasPrice),
    nonce: String(listed.nonce),
    from: richAddress(listed.sender, contracts),
    to: richAddress(listed.recipient, contracts),
    method: method(listed, contracts),
    value: String(listed.value),
    finality: finalityAt(at, listed.height),
  } satisfies Body
}

/** Returns a transaction with its input data and fee caps in the Data API's format. */
export function fullNativeTransaction(
  chain: EvmChain,
  at: EvmSnapshot,
  full: EvmTransactions.FullTransaction,
  contracts: Contracts,
  decoded: DecodedBody | undefined,
): Body {
  return {
    ...nativeTransaction(chain, at, full, contracts),
    input: Hex.encode(full.input),
    decoded,
    baseFeePerGas: String(full.baseFee ?? 0n),
    maxFeePerGas: full.maxFeePerGas === null ? undefined : String(full.maxFeePerGas),
    maxPriorityFeePerGas: full.maxPriorityFeePerGas === null ? undefined : String(full.maxPriorityFeePerGas),
  }
}

function method(listed: EvmTransactions.Transaction, contracts: Contracts) {
  const { recipient, selector } = listed
  if (recipient === null) {
    return { callType: 'CONTRACT_CREATION', methodHash: '', methodName: 'Contract Created' }
  }
  if (selector.length === 0) {
    return { callType: 'NATIVE_TRANSFER', methodHash: '', methodName: 'Native Transfer' }
  }
  return {
    callType: 'CONTRACT_CALL',
    methodHash: Hex.encode(selector),
    methodName: contracts.methodName(listed),
  }
}
