import * as AbiDecoder from './AbiDecoder.ts'
import type { Log } from './Block.ts'
import { arrayOf, type EventAbi, type EventInput, type Parameter } from './EventAbi.ts'
import { placeOf } from './internal/abiParameters.ts'

export type { Value } from './AbiDecoder.ts'

/**
 * Returns the values of an event's parameters in a log. Returns undefined if the log is not an event of this kind:
 * if its number of topics differs, its data are too short, or a value does not fit its type.
 * @param log a log whose topic 0 is the event's
 * @example
 * ```ts
 * import { type EventAbi, EventDecoder, type Log } from '@firn/evm'
 *
 * declare const event: EventAbi.EventAbi
 * declare const log: Log
 * const values = EventDecoder.decode(event, log)
 * ```
 */
export function decode(
  event: EventAbi,
  log: Pick<Log, 'topics' | 'data'>,
): readonly AbiDecoder.Value[] | undefined {
  const decoded = attempt(event, log)
  return 'values' in decoded ? decoded.values : undefined
}

/**
 * Returns the values of an event's parameters in a log, or the reason why the log is not an event of this kind.
 * @param log a log whose topic 0 is the event's
 * @example
 * ```ts
 * import { type EventAbi, EventDecoder, type Log } from '@firn/evm'
 *
 * declare const event: EventAbi.EventAbi
 * declare const log: Log
 * const decoded = EventDecoder.attempt(event, log)
 * console.log('values' in decoded ? decoded.values : decoded.reason)
 * ```
 */
export function attempt(
  { inputs }: EventAbi,
  { topics, data }: Pick<Log, 'topics' | 'data'>,
): AbiDecoder.Decoded | AbiDecoder.Undecodable {
  const indexed = inputs.filter((input) => input.indexed)
  if (topics.length !== indexed.length + 1) {
    return { reason: `the log has ${topics.length} topics, and the event ${indexed.length + 1}` }
  }
  const others = inputs.filter((input) => !input.indexed)
  const unindexed = AbiDecoder.decode(others, data)
  if ('reason' in unindexed) return unindexed
  const values: AbiDecoder.Value[] = []
  let [topic, word] = [1, 0]
  for (const input of inputs) {
    const value = input.indexed
      ? readTopic(input, topics[topic++] as Uint8Array)
      : { values: [unindexed.values[word++] as AbiDecoder.Value] }
    if ('reason' in value) return { reason: `${placeOf(input, values.length)}: ${value.reason}` }
    values.push(...value.values)
  }
  return { values, extraBytes: unindexed.extraBytes }
}

/**
 * Returns whether only a hash of the value is a topic if the parameter is indexed.
 * @example
 * ```ts
 * import { EventDecoder } from '@firn/evm'
 *
 * EventDecoder.isHashed({ name: 'text', type: 'string' }) // true
 * ```
 */
export function isHashed({ type }: Parameter): boolean {
  return type === 'string' || type === 'bytes' || type === 'tuple' || arrayOf(type) !== undefined
}

function readTopic(
  input: EventInput,
  topic: Uint8Array,
): Pick<AbiDecoder.Decoded, 'values'> | AbiDecoder.Undecodable {
  if (isHashed(input)) return { values: [topic] }
  return AbiDecoder.decodeWord(input.type, topic)
}
