import type { Call } from '../JsonRpc.ts'

/** How a node gives the receipts of a block: all at once by its hash or height, or one by one. */
export type ReceiptsBy = 'hash' | 'height' | 'transaction'
/** How a node traces a block; undefined where it doesn't. */
export type TracesBy = 'hash' | 'height' | 'flat' | undefined

/** A number as JSON-RPC writes it. */
export function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** A block with its transactions, by hash where it is known. */
export function block(height: bigint, hash: string | undefined): Call {
  return hash === undefined
    ? { method: 'eth_getBlockByNumber', params: [quantity(height), true] }
    : { method: 'eth_getBlockByHash', params: [hash, true] }
}

/** A block without its transactions: the newest executed one, or that at a height. */
export function header(at: bigint | 'latest'): Call {
  return { method: 'eth_getBlockByNumber', params: [at === 'latest' ? at : quantity(at), false] }
}

/** The receipts of a block at once. */
export function receipts(by: Exclude<ReceiptsBy, 'transaction'>, height: bigint, hash: string): Call {
  return { method: 'eth_getBlockReceipts', params: [by === 'hash' ? hash : quantity(height)] }
}

/** The receipt of a transaction. */
export function receipt(hash: unknown): Call {
  return { method: 'eth_getTransactionReceipt', params: [hash] }
}

/** The traces of a block. */
export function traces(by: NonNullable<TracesBy>, height: bigint, hash: string): Call {
  if (by === 'flat') return { method: 'trace_block', params: [quantity(height)] }
  const tracer = { tracer: 'callTracer' }
  return by === 'hash'
    ? { method: 'debug_traceBlockByHash', params: [hash, tracer] }
    : { method: 'debug_traceBlockByNumber', params: [quantity(height), tracer] }
}
