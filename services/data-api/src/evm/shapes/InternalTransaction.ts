import { Hex } from '@firn/codec'
import type { EvmInternalCalls } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { inBlock } from './EvmBlock.ts'
import { type Contracts, RichAddress, richAddress } from './RichAddress.ts'

const TYPES = ['CALL', 'CREATE', 'CREATE2', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'] as const

const members = {
  from: RichAddress,
  to: RichAddress,
  internalTxType: Type.Enum(['UNKNOWN', 'CREATE3', ...TYPES]),
  value: Type.String(),
  isReverted: Type.Boolean(),
  gasUsed: Type.String(),
  gasLimit: Type.String(),
}

/** An internal call as it appears within its transaction. */
export const InternalTransactionDetails = Type.Object(members)

/** An internal call in a list, together with its block and transaction. */
export const InternalTransaction = Type.Object({ ...inBlock, txHash: Type.String(), ...members })

/** Returns an internal call, with its block and transaction, in the Data API's format. */
export function internalTransaction(listed: EvmInternalCalls.CallInBlock, contracts: Contracts): Body {
  return {
    blockNumber: String(listed.height),
    blockTimestamp: listed.time,
    blockTimestampMilliseconds: listed.timeMilliseconds ?? undefined,
    blockHash: Hex.encode(listed.blockHash),
    txHash: Hex.encode(listed.transactionHash),
    ...internalTransactionDetails(listed, contracts),
  }
}

/** Returns an internal call in the Data API's format, as it appears within its transaction. */
export function internalTransactionDetails(call: EvmInternalCalls.Call, contracts: Contracts) {
  return {
    from: richAddress(call.sender, contracts),
    to: richAddress(call.recipient, contracts),
    internalTxType: TYPES.find((type) => type === call.type) ?? 'UNKNOWN',
    value: String(call.value),
    isReverted: !call.succeeded,
    gasUsed: String(call.gasUsed),
    gasLimit: String(call.gas),
  } satisfies Body
}
