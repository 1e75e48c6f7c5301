import { Hex } from '@firn/codec'
import { EventAbi, EventDecoder } from '@firn/evm'
import type { EvmEvents } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addressText } from '../chain/addressText.ts'
import { argument } from '../decoding/Decoded.ts'
import { inLog } from './EvmBlock.ts'

/** A decoded event, together with its block and transaction. */
export const DecodedEvent = Schema.object('DecodedEvent', 'A decoded event with its block and transaction', {
  ...inLog,
  address: Field.evmAddress('Contract that emitted the event'),
  args: Schema.record(
    Schema.any('Value of a parameter', '1500000'),
    'Parameters by name: integers as decimal text, bytes and addresses as 0x text, arrays and tuples as arrays',
    'value',
  ),
})

/** Returns an event in the Data API's format. */
export function decodedEvent({ inputs }: EventAbi.EventAbi, event: EvmEvents.DecodedEvent): Body {
  const names = EventAbi.argumentNames(inputs)
  return {
    blockNumber: String(event.height),
    blockTimestamp: event.time,
    blockTimestampMilliseconds: event.timeMilliseconds ?? undefined,
    blockHash: Hex.encode(event.blockHash),
    txHash: Hex.encode(event.transactionHash),
    txIndex: event.transactionIndex,
    logIndex: event.logIndex,
    address: addressText(event.address),
    args: Object.fromEntries(
      inputs.map((input, i) => {
        const value = event.values[i]
        const isHash = input.indexed && EventDecoder.isHashed(input)
        return [names[i], isHash ? Hex.encode(value as Uint8Array) : argument(input, value)]
      }),
    ),
  }
}
