import { Hex } from '@firn/codec'
import { EventAbi, EventDecoder } from '@firn/evm'
import type { EvmEvents } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'
import { inBlock } from './EvmBlock.ts'
import { addressText } from './RichAddress.ts'

/** A decoded event, together with its block and transaction. */
export const DecodedEvent = Type.Object({
  ...inBlock,
  txHash: Type.String(),
  txIndex: Type.Number({ description: 'index of the transaction in its block' }),
  logIndex: Type.Number({ description: 'index of the log in its block' }),
  address: Type.String({ description: 'contract that emitted the event' }),
  args: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'the parameters by name: integers as decimal text, bytes and addresses as 0x text, arrays and tuples as arrays',
  }),
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

/** Returns a value as JSON. In arrays and tuples, integers and bytes are text already. */
function argument(parameter: EventAbi.Parameter, value: unknown): Body {
  const { type, components = [] } = parameter
  const array = EventAbi.arrayOf(type)
  if (array !== undefined) {
    return (value as readonly unknown[]).map((one) => argument({ ...parameter, type: array.type }, one))
  }
  if (type === 'tuple') {
    return components.map((member, i) => argument(member, (value as readonly unknown[])[i]))
  }
  if (type === 'address') {
    return addressText(typeof value === 'string' ? Hex.decode(value) : (value as Uint8Array))
  }
  if (value instanceof Uint8Array) return Hex.encode(value)
  return typeof value === 'bigint' ? String(value) : (value as boolean | string)
}
