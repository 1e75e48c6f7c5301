import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type AvalancheClient, createAvalancheClient } from '@avalanche-sdk/client'
import { type avalancheFuji, avalancheLocal } from '@avalanche-sdk/client/chains'
import type { Transport } from 'viem'

/** Type of the client. The SDK's types offer these methods for Mainnet and Fuji only. */
export type Sdk = AvalancheClient<Transport, typeof avalancheFuji>

/** Creates a client of all APIs of a local network node. */
export function connect(url: string): Sdk {
  return createAvalancheClient({
    chain: avalancheLocal as unknown as typeof avalancheFuji,
    transport: { type: 'http', url: `${url}/ext/bc/C/rpc`, config: { retryCount: 0 } },
  })
}

/** Results of a recorded node, keyed by path, method and parameters. */
const SAID = JSON.parse(
  gunzipSync(readFileSync(new URL('../../vectors/clients.json.gz', import.meta.url))).toString('utf8'),
) as Readonly<Record<string, unknown>>

/** Returns the recorded node's result of a call, at the last recorded heights of the chains. */
export function said(path: string, method: string, params: object = {}): unknown {
  const key = `/ext/${path} ${method} ${JSON.stringify(params)}`
  if (!(key in SAID)) throw new Error(`no recorded call ${key}`)
  return SAID[key]
}

/** Fields whose values a node takes from its own measurements. */
const OWN_VIEW: readonly string[] = ['uptime', 'connected']

/**
 * Normalizes values of clients and of responses in the same way: numbers of every type become strings, bytes
 * become hex.
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

/** Returns a response with sorted UTXOs, because a node returns the UTXOs of one block in another order. */
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
