import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Bytes, type ChainAlias, Id } from '@firn/codec'
import { Genesis, GenesisConfig, Networks, Upgrades } from '@firn/genesis'
import { LedgerState } from '@firn/ledger'
import { Recordings } from '@firn/store/testing'

/** A transaction that the recorded node refused, and its error text. */
export interface Refused {
  readonly name: string
  readonly chain: ChainAlias
  readonly bytes: Uint8Array
  readonly text: string
}

interface Stored {
  readonly genesis: Parameters<typeof GenesisConfig.parse>[0]
  readonly upgrades: Parameters<typeof Upgrades.fromJSON>[0]
  readonly blocks: Readonly<Record<'P' | 'X', readonly string[]>>
  readonly transactions: Readonly<Record<string, string>>
  readonly refusals: readonly (readonly [name: string, change: string, chain: ChainAlias, text: string])[]
}

const file = new URL('../../vectors/refusals.json.gz', import.meta.url)
const stored = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Stored
const genesis = Genesis.build(GenesisConfig.parse(stored.genesis))

/** Constants of the recorded network. */
export const constants: Networks.Constants = {
  ...Networks.of(genesis.networkId),
  upgrades: Upgrades.fromJSON(stored.upgrades),
}

/** The recorded refusals. */
export const refused: readonly Refused[] = stored.refusals.map(([name, change, chain, text]) => ({
  name: `${name}, ${change}`,
  chain,
  bytes: changed(transaction(name), change),
  text,
}))

/** Returns a valid transaction by name. */
export function transaction(name: string): Uint8Array {
  return unpack(stored.transactions[name] ?? '')
}

/** Returns the state of the recorded chains except the C-chain. */
export function recordedState(): LedgerState.LedgerState {
  const state = LedgerState.create(genesis, constants, false)
  const blocks = (chain: 'P' | 'X') =>
    stored.blocks[chain].map((base64) => ({ chain, bytes: unpack(base64), parentId: Id.EMPTY }))
  const applied = [...Recordings.follow(state, { P: blocks('P'), X: blocks('X') })]
  if (applied.length === 0) throw new RangeError('the recording has no blocks')
  return state
}

/** Returns the state of the network's genesis, as if Helicon were never active. */
export function stateBeforeHelicon(): LedgerState.LedgerState {
  const upgrades = { ...constants.upgrades, helicon: Upgrades.UNSCHEDULED }
  return LedgerState.create(genesis, { ...constants, upgrades })
}

function unpack(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}

function changed(bytes: Uint8Array, change: string): Uint8Array {
  const index = Number(/^byte (\d+) changed$/.exec(change)?.[1])
  if (!Number.isNaN(index)) return flipped(bytes, index, index % 3 === 0 ? 0x80 : 1)
  if (change === 'empty') return bytes.subarray(0, 0)
  if (change === 'half') return bytes.subarray(0, bytes.length >> 1)
  if (change === 'last byte missing') return bytes.subarray(0, -1)
  return change === 'one byte more' ? Bytes.concat(bytes, Uint8Array.of(0)) : bytes
}

/** Returns a copy of bytes with the bits of a mask flipped in one byte. */
export function flipped(bytes: Uint8Array, index: number, mask: number): Uint8Array {
  return Uint8Array.from(bytes, (byte, i) => (i === index ? byte ^ mask : byte))
}
