import { excerpt, Hex } from '@firn/codec'
import { EventAbi, EventDecoder } from '@firn/evm'
import type { EvmEvents } from '@firn/evm-store'
import * as Parameter from '../../http/endpoint/Parameter.ts'

/** A value of a parameter of an event as requested: the name of the parameter, and the value as text. */
export interface NamedValue {
  readonly name: string
  readonly value: string
}

/** Parameter for the values of an event's parameters, separated by commas. */
export const args = Parameter.list('values <name>=<value>', 16, (text): NamedValue | undefined => {
  const [, name, value] = /^([^=]{1,200})=(.+)$/s.exec(text) ?? []
  return name === undefined || value === undefined ? undefined : { name, value }
})

/**
 * Returns the filters of an event's list.
 * @throws DataApiError `DATA_PARAMETER` if the event has no such parameter, or a value does not fit the type
 */
export function argumentFilters(
  { inputs }: EventAbi.EventAbi,
  given: readonly NamedValue[],
): readonly EvmEvents.ArgumentFilter[] {
  const names = EventAbi.argumentNames(inputs)
  return given.map(({ name, value }) => {
    const index = names.indexOf(name)
    const input = inputs[index]
    if (input === undefined) throw Parameter.refused('args', `one of ${names.join(', ')}`, name)
    const { expected, parse } = formOf(input)
    const parsed = parse(value)
    if (parsed === undefined) throw Parameter.refused('args', `${expected} for ${name}`, excerpt(value))
    return { index, value: parsed }
  })
}

/** How values of a type are written. */
interface Form {
  readonly expected: string
  readonly parse: (text: string) => EvmEvents.ArgumentFilter['value'] | undefined
}

function formOf(input: EventAbi.EventInput): Form {
  const { type } = input
  if (input.indexed && EventDecoder.isHashed(input)) return bytes('a hash', 32)
  if (type === 'tuple' || EventAbi.arrayOf(type) !== undefined)
    return { expected: 'no value, because arrays and tuples cannot be searched,', parse: () => undefined }
  if (type === 'string') return { expected: 'text', parse: (text) => text }
  if (type === 'bool')
    return { expected: 'true or false', parse: (text) => ({ true: true, false: false })[text] }
  if (type === 'address') return bytes('an address', 20)
  if (type === 'function') return bytes('an address and a selector', 24)
  const [, kind, size = ''] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  if (kind === 'bytes') return bytes('bytes', size === '' ? undefined : Number(size))
  return {
    expected: `a decimal ${type}`,
    parse: (text) => (/^-?\d{1,78}$/.test(text) ? BigInt(text) : undefined),
  }
}

function bytes(what: string, length: number | undefined): Form {
  const digits = length === undefined ? 'an even number of' : `${2 * length}`
  return {
    expected: `${what} of 0x and ${digits} hexadecimal digits`,
    parse: (text) => {
      const isHex = /^0[xX](?:[0-9a-fA-F]{2})*$/.test(text)
      if (!isHex || (length !== undefined && text.length !== 2 + 2 * length)) return undefined
      return Hex.decodeBare(text.slice(2).toLowerCase())
    },
  }
}
