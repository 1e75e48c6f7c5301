import { Hex } from '@firn/codec'
import { MethodNames } from '@firn/evm'
import type { EvmChain, EvmSnapshot, EvmTransactions } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { Finality, finalityAt, inBlock } from './EvmBlock.ts'
import { type Contracts, RichAddress, richAddress } from './RichAddress.ts'

/** The method that a transaction calls. */
export const Method = Type.Object({
  callType: Type.Enum(['NATIVE_TRANSFER', 'CONTRACT_CALL', 'CONTRACT_CREATION']),
  methodHash: Type.String({
    description: 'the first four bytes of the call data; empty if the transaction is not a contract call',
  }),
  methodName: Type.Optional(Type.String()),
})

const members = {
  ...inBlock,
  blockMinDelayExcess: Type.Optional(Type.Number()),
  chainId: Type.String(),
  blockIndex: Type.Number(),
  txHash: Type.String(),
  txStatus: Type.String({ description: '1 for success, 0 for failure' }),
  txType: Type.Number(),
  gasLimit: Type.String(),
  gasUsed: Type.String(),
  gasPrice: Type.String({ description: 'price paid per unit of gas, in wei' }),
  nonce: Type.String(),
  from: RichAddress,
  to: RichAddress,
  method: Type.Optional(Method),
  value: Type.String(),
  finality: Finality,
}

/** A transaction in a list. */
export const NativeTransaction = Type.Object(members)

/** A transaction with its input data and fee caps. */
export const FullNativeTransaction = Type.Object({
  ...members,
  input: Type.String(),
  baseFeePerGas: Type.String(),
  maxFeePerGas: Type.Optional(Type.String()),
  maxPriorityFeePerGas: Type.Optional(Type.String()),
})

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
    method: method(listed),
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
): Body {
  return {
    ...nativeTransaction(chain, at, full, contracts),
    input: Hex.encode(full.input),
    baseFeePerGas: String(full.baseFee ?? 0n),
    maxFeePerGas: full.maxFeePerGas === null ? undefined : String(full.maxFeePerGas),
    maxPriorityFeePerGas: full.maxPriorityFeePerGas === null ? undefined : String(full.maxPriorityFeePerGas),
  }
}

function method({ recipient, selector }: EvmTransactions.Transaction): Body {
  if (recipient === null) {
    return { callType: 'CONTRACT_CREATION', methodHash: '', methodName: 'Contract Created' }
  }
  if (selector.length === 0) {
    return { callType: 'NATIVE_TRANSFER', methodHash: '', methodName: 'Native Transfer' }
  }
  return {
    callType: 'CONTRACT_CALL',
    methodHash: Hex.encode(selector),
    methodName: MethodNames.of(selector),
  }
}
