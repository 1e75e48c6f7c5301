import { Hex, isJsonObject } from '@firn/codec'
import type { EvmLogs } from '@firn/evm-store'

/** The parameters of an `eth_getLogs` call that can be answered without a node. */
export interface LogRequest {
  readonly blocks: { readonly hash: Uint8Array } | { readonly from: bigint; readonly to: bigint | 'latest' }
  readonly filter: EvmLogs.LogFilter
}

const MEMBERS = new Set(['address', 'topics', 'fromBlock', 'toBlock', 'blockHash'])
/** Maximum number of addresses, and of values of a topic. */
const MOST_VALUES = 64
const MOST_TOPICS = 4
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,14})$/

/**
 * Reads the parameters of an `eth_getLogs` call. Returns undefined for invalid parameters, and for parameters that
 * nodes do not all treat in the same way. Such calls must be forwarded to a node.
 */
export function read(params: unknown): LogRequest | undefined {
  if (!Array.isArray(params) || params.length !== 1) return undefined
  const [given] = params as unknown[]
  if (!isJsonObject(given)) return undefined
  if (Object.keys(given).some((name) => !MEMBERS.has(name))) return undefined
  const { address, topics, ...range } = given as Readonly<Record<string, unknown>>
  const blocks = readBlocks(range)
  const addresses = readValues(address ?? [], 20)
  const positions = readTopics(topics ?? [])
  if (blocks === undefined || addresses === undefined || positions === undefined) return undefined
  return { blocks, filter: { addresses, topics: positions } }
}

function readBlocks({
  fromBlock,
  toBlock,
  blockHash,
}: Readonly<Record<string, unknown>>): LogRequest['blocks'] | undefined {
  if (blockHash !== undefined) {
    const hash = fromBlock === undefined && toBlock === undefined ? readBytes(blockHash, 32) : undefined
    return hash && { hash }
  }
  const from = fromBlock === 'earliest' ? 0n : readQuantity(fromBlock)
  const to = toBlock === undefined || toBlock === 'latest' ? ('latest' as const) : readQuantity(toBlock)
  return from === undefined || to === undefined ? undefined : { from, to }
}

function readQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : undefined
}

/**
 * Reads the accepted values of each topic. `null` and an empty list accept any value, but not at the end of the list,
 * because nodes differ in whether a log must have this topic.
 */
function readTopics(value: unknown): readonly (readonly Uint8Array[])[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_TOPICS) return undefined
  const topics = value.map((one: unknown) => readValues(one ?? [], 32))
  return topics.includes(undefined) || topics.at(-1)?.length === 0
    ? undefined
    : (topics as (readonly Uint8Array[])[])
}

/** Reads one value or a list of values of a length in bytes. */
function readValues(value: unknown, length: number): readonly Uint8Array[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > MOST_VALUES) return undefined
  const values = list.map((one) => readBytes(one, length))
  return values.includes(undefined) ? undefined : (values as Uint8Array[])
}

function readBytes(value: unknown, length: number): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length !== 2 + 2 * length || !/^0x[0-9a-fA-F]*$/.test(value)) {
    return undefined
  }
  return Hex.decodeBare(value.slice(2).toLowerCase())
}
