import { Hex } from '@firn/codec'
import type { EvmInternalCalls } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { inTransaction } from './EvmBlock.ts'
import { type Contracts, RichAddress, richAddress } from './RichAddress.ts'

const TYPES = ['CALL', 'CREATE', 'CREATE2', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'] as const

const members = {
  from: Schema.as(RichAddress, 'Caller'),
  to: Schema.as(RichAddress, 'Callee, or the created contract'),
  internalTxType: Schema.choice(['UNKNOWN', 'CREATE3', ...TYPES], 'Kind of call', 'CALL'),
  value: Field.wei('Transferred amount', '1000000000000000000'),
  isReverted: Schema.flag('Whether the call was reverted', false),
  gasUsed: Field.gas('Gas used'),
  gasLimit: Field.gas('Gas limit', '90000'),
}

/** An internal call as it appears within its transaction. */
export const InternalTransactionDetails = Schema.object(
  'InternalTransactionDetails',
  'An internal call within its transaction',
  members,
)

/** An internal call in a list, together with its block and transaction. */
export const InternalTransaction = Schema.object(
  'InternalTransaction',
  'An internal call with its block and transaction',
  { ...inTransaction, ...members },
)

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
