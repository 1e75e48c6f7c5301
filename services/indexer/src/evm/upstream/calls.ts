import { Hex } from '@firn/codec'
import type { LogSelection } from '@firn/evm-store'
import type { Call } from './JsonRpc.ts'

/** How a node serves a block's receipts: all at once by hash or height, or one by one. */
export type ReceiptsBy = 'hash' | 'height' | 'transaction'
/**
 * How a node traces a block: by hash or height, or by height as a flat list (`trace_block`); undefined if it does not
 * trace blocks.
 */
export type TracesBy = 'hash' | 'height' | 'flat' | undefined

/** Formats a number as `0x` and hex digits without leading zeros, as JSON-RPC requires. */
export function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** Creates the call for a block with its transactions, by hash if known. */
export function block(height: bigint, hash: string | undefined): Call {
  return hash === undefined
    ? { method: 'eth_getBlockByNumber', params: [quantity(height), true] }
    : { method: 'eth_getBlockByHash', params: [hash, true] }
}

/**
 * Creates the call for a block without its transactions: the newest executed block, or the block at a height.
 */
export function header(at: bigint | 'latest'): Call {
  return { method: 'eth_getBlockByNumber', params: [at === 'latest' ? at : quantity(at), false] }
}

/** Creates the call for the block with a hash, without its transactions. */
export function headerOf(hash: string): Call {
  return { method: 'eth_getBlockByHash', params: [hash, false] }
}

/**
 * Creates the call for the logs of a range of blocks, or of a block by its hash. The answer may also contain logs that
 * are not selected.
 */
export function logs(blocks: Readonly<Record<string, unknown>>, selection: LogSelection): Call {
  const addresses = new Set(selection.map(({ address }) => address && Hex.encode(address)))
  const topics = new Set(selection.map(({ topic0 }) => Hex.encode(topic0)))
  const of = addresses.has(undefined) ? {} : { address: [...addresses] }
  return { method: 'eth_getLogs', params: [{ ...blocks, ...of, topics: [[...topics]] }] }
}

/** Creates the call for all receipts of a block. */
export function receipts(by: Exclude<ReceiptsBy, 'transaction'>, height: bigint, hash: string): Call {
  return { method: 'eth_getBlockReceipts', params: [by === 'hash' ? hash : quantity(height)] }
}

/** Creates the call for a transaction's receipt. */
export function receipt(hash: unknown): Call {
  return { method: 'eth_getTransactionReceipt', params: [hash] }
}

/** Creates the call for a block's traces. */
export function traces(by: NonNullable<TracesBy>, height: bigint, hash: string): Call {
  if (by === 'flat') return { method: 'trace_block', params: [quantity(height)] }
  const tracer = { tracer: 'callTracer' }
  return by === 'hash'
    ? { method: 'debug_traceBlockByHash', params: [hash, tracer] }
    : { method: 'debug_traceBlockByNumber', params: [quantity(height), tracer] }
}
