import { Hex } from '@firn/codec'
import type { EvmLogs } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { inBlock } from './EvmBlock.ts'
import { addressText } from './RichAddress.ts'

/** A log, together with its block and transaction. */
export const EventLog = Type.Object({
  ...inBlock,
  txHash: Type.String(),
  txIndex: Type.Number({ description: 'index of the transaction in its block' }),
  logIndex: Type.Number({ description: 'index of the log in its block' }),
  address: Type.String({ description: 'contract that emitted the log' }),
  topics: Type.Array(Type.String(), { description: 'at most four hashes or words of 32 bytes' }),
  data: Type.String(),
})

/** Returns a log in the Data API's format. */
export function eventLog(log: EvmLogs.Log): Body {
  return {
    blockNumber: String(log.height),
    blockTimestamp: log.time,
    blockTimestampMilliseconds: log.timeMilliseconds ?? undefined,
    blockHash: Hex.encode(log.blockHash),
    txHash: Hex.encode(log.transactionHash),
    txIndex: log.transactionIndex,
    logIndex: log.logIndex,
    address: addressText(log.address),
    topics: log.topics.map((topic) => Hex.encode(topic)),
    data: Hex.encode(log.data),
  }
}
