import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type AvalancheClient, createAvalancheClient } from '@avalanche-sdk/client'
import { type avalancheFuji, avalancheLocal } from '@avalanche-sdk/client/chains'
import type { Transport } from 'viem'

/** What the client's types have on Mainnet and Fuji only. */
export type Sdk = AvalancheClient<Transport, typeof avalancheFuji>

/** A client of every API of a node of the local network. */
export function connect(url: string): Sdk {
  return createAvalancheClient({
    chain: avalancheLocal as unknown as typeof avalancheFuji,
    transport: { type: 'http', url: `${url}/ext/bc/C/rpc`, config: { retryCount: 0 } },
  })
}

/** Results of a recorded node by path, method and arguments. */
const SAID = JSON.parse(
  gunzipSync(readFileSync(new URL('../../vectors/clients.json.gz', import.meta.url))).toString('utf8'),
) as Readonly<Record<string, unknown>>

/** What the recorded node said to a call, at the last heights of its chains. */
export function said(path: string, method: string, params: object = {}): unknown {
  const key = `/ext/${path} ${method} ${JSON.stringify(params)}`
  if (!(key in SAID)) throw new Error(`expected a recorded call, got ${key}`)
  return SAID[key]
}

/** A node tells of itself how long it saw others and whether it does. */
const OWN_VIEW: readonly string[] = ['uptime', 'connected']

/** Values that clients made of an answer, and those of an answer, alike: numbers of every type as texts, bytes as hex. */
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

/** An answer whose UTXOs are sorted: a node has an order of its own among those of one block. */
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
