import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type AvalancheClient, createAvalancheClient } from '@avalanche-sdk/client'
import { type avalancheFuji, avalancheLocal } from '@avalanche-sdk/client/chains'
import type { Transport } from 'viem'

/** Type of the SDK's client. The SDK's types offer these methods only for Mainnet and Fuji. */
export type Sdk = AvalancheClient<Transport, typeof avalancheFuji>

/** Creates an SDK client with all APIs of a local network's node. */
export function connect(url: string): Sdk {
  return createAvalancheClient({
    chain: avalancheLocal as unknown as typeof avalancheFuji,
    transport: { type: 'http', url: `${url}/ext/bc/C/rpc`, config: { retryCount: 0 } },
  })
}

/** Results that a recorded node returned, keyed by path, method and parameters. */
const SAID = JSON.parse(
  gunzipSync(readFileSync(new URL('../../vectors/clients.json.gz', import.meta.url))).toString('utf8'),
) as Readonly<Record<string, unknown>>

/**
 * Returns the result that the recorded node returned for a call, at the last recorded heights of the chains.
 */
export function said(path: string, method: string, params: object = {}): unknown {
  const key = `/ext/${path} ${method} ${JSON.stringify(params)}`
  if (!(key in SAID)) throw new Error(`no recorded call ${key}`)
  return SAID[key]
}

/** Fields whose values come from a node's own measurements. */
const OWN_VIEW: readonly string[] = ['uptime', 'connected']

/**
 * Returns a value in a form that is equal for clients and for responses: numbers of every type become
 * strings, and bytes become hex.
 */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (value instanceof Map) return plain(Object.fromEntries(value))
  if (value instanceof Set || Array.isArray(value)) return [...value].map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    entries.map(([name, member]) => [name, OWN_VIEW.includes(name) ? '…' : plain(member)]),
  )
}

/**
 * Returns a response with its UTXOs sorted, because a node returns the UTXOs of one block in a different
 * order.
 */
export function unordered(answer: unknown): unknown {
  const {
    utxos = [],
    utxoIDs: utxoIds = [],
    endIndex,
    ...rest
  } = answer as {
    readonly utxos?: readonly string[]
    readonly utxoIDs?: readonly object[]
    readonly endIndex?: { readonly address: string }
  }
  const ids = utxoIds.map((id) => JSON.stringify(plain(id))).sort()
  return { ...(plain(rest) as object), utxos: [...utxos].sort(), ids, address: endIndex?.address }
}
