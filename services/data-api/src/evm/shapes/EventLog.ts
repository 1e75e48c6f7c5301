import { Hex } from '@firn/codec'
import type { EvmLogs } from '@firn/store/evm'
import type { Body } from '../../front/Endpoint.ts'
import * as Field from '../../front/Field.ts'
import * as Schema from '../../front/Schema.ts'
import { inLog } from './EvmBlock.ts'
import { addressText } from './RichAddress.ts'

/** A log, together with its block and transaction. */
export const EventLog = Schema.object('EventLog', 'A log with its block and transaction', {
  ...inLog,
  address: Field.evmAddress('Contract that emitted the log'),
  topics: Schema.list(Field.hash('Hash or word'), 'At most four hashes or words of 32 bytes'),
  data: Field.hex('Data of the log', '0x'),
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
