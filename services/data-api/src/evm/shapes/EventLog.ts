import { Hex } from '@firn/codec'
import type { EvmLogs, EvmTransactionLogs } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addressText } from '../chain/addressText.ts'
import { Decoded } from '../decoding/Decoded.ts'
import { inLog } from './EvmBlock.ts'

const members = {
  address: Field.evmAddress('Contract that emitted the log'),
  topics: Schema.list(Field.hash('Hash or word'), 'At most four hashes or words of 32 bytes'),
  data: Field.hex('Data of the log', '0x'),
  decoded: Schema.optional(Schema.as(Decoded, 'The decoded event; present with `decode=true`')),
}

/** A log, together with its block and transaction. */
export const EventLog = Schema.object('EventLog', 'A log with its block and transaction', {
  ...inLog,
  ...members,
})

/** A log within its transaction. */
export const TransactionLog = Schema.object('TransactionLog', 'A log within its transaction', {
  logIndex: Schema.integer('Index of the log in its block', 4),
  ...members,
})

/** Returns a log within its transaction in the Data API's format. */
export function transactionLog(log: EvmTransactionLogs.TransactionLog, decoded: Body | undefined) {
  return {
    logIndex: log.logIndex,
    address: addressText(log.address),
    topics: log.topics.map((topic) => Hex.encode(topic)),
    data: Hex.encode(log.data),
    decoded,
  } satisfies Body
}

/** Returns a log in the Data API's format. */
export function eventLog(log: EvmLogs.Log, decoded: Body | undefined): Body {
  return {
    blockNumber: String(log.height),
    blockTimestamp: log.time,
    blockTimestampMilliseconds: log.timeMilliseconds ?? undefined,
    blockHash: Hex.encode(log.blockHash),
    txHash: Hex.encode(log.transactionHash),
    txIndex: log.transactionIndex,
    ...transactionLog(log, decoded),
  }
}
