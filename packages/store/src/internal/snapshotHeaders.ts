import { createHash } from 'node:crypto'
import { type ChainAlias, Hex } from '@firn/codec'
import { StoreError } from '@firn/sql'
import * as NetworkRules from '../NetworkRules.ts'
import { LEDGER_TABLES, type LedgerTable } from '../Schema.ts'
import * as Snapshots from '../Snapshot.ts'
import { damaged, type Frame } from './frames.ts'

/** Version of the file format. A change of a table's columns needs a new one. */
export const FORMAT = 1
/** Largest height of a file, because each million of heights has separate tables. */
const MAX_HEIGHT = 2n ** 32n

/** Returns the frames of a file with typed headers. Checks their order, and the SHA-256 that the last one names. */
export async function* checkFrames(
  frames: AsyncIterable<Frame>,
): AsyncIterable<{ readonly header: Header; readonly body: Uint8Array }> {
  const hash = createHash('sha256')
  let hasNetwork = false
  let hasEnd = false
  for await (const { header, body, bytes } of frames) {
    const read = header as Header
    if (hasEnd) throw damaged('it goes on after its end')
    if (!hasNetwork && kindOf(header) !== 'network') throw damaged('it does not begin with the network')
    switch (read.kind) {
      case 'network':
        if (hasNetwork) throw damaged('it describes the network twice')
        hasNetwork = true
        break
      case 'rows':
        if (!Object.hasOwn(LEDGER_TABLES, read.table)) throw damaged('it has rows of an unknown table')
        break
      case 'end':
        if (read.sha256 !== Hex.encode(hash.digest()))
          throw damaged('its SHA-256 differs from the one in its last frame')
        hasEnd = true
        break
      default:
        throw damaged('it has a frame of an unknown kind')
    }
    yield { header: read, body }
    if (!hasEnd) hash.update(bytes)
  }
  if (!hasEnd) throw damaged('its end is missing')
}

/** Returns the kind of a frame. */
export function kindOf(header: unknown): unknown {
  return (header as { readonly kind?: unknown } | null)?.kind
}

type Tips = Readonly<
  Record<ChainAlias, { readonly height: string; readonly blockId: string; readonly time: string }>
>

/** Headers of a file's frames, in this order: one of the network, any number of rows, and the end. */
export type Header =
  | {
      readonly kind: 'network'
      readonly format: number
      readonly networkId: number
      readonly upgrades: unknown
      readonly settings: unknown
      readonly followsCChain: boolean
      readonly followsXChain: boolean
      readonly tips: Tips
    }
  | { readonly kind: 'rows'; readonly table: LedgerTable; readonly rows: number }
  | { readonly kind: 'end'; readonly sha256: string; readonly digest: string }

/** Returns the positions of a snapshot as a header names them. */
export function tipsOf(snapshot: Snapshots.Snapshot): Tips {
  const tip = (chain: ChainAlias) => {
    const { height, blockId, time } = snapshot[chain]
    return { height: String(height), blockId: Hex.encode(blockId), time: String(time) }
  }
  return { P: tip('P'), X: tip('X'), C: tip('C') }
}

/** Reads the positions of a snapshot. @throws StoreError `STORE_SNAPSHOT` */
export function readTips(tips: Tips): Snapshots.Snapshot {
  const position = (chain: ChainAlias): Snapshots.Position => {
    const { height, blockId, time } = tips[chain]
    if (BigInt(height) > MAX_HEIGHT) throw damaged(`its height ${height} is above ${MAX_HEIGHT}`)
    return { height: BigInt(height), blockId: Hex.decode(blockId), time: BigInt(time) }
  }
  try {
    return Snapshots.create({ P: position('P'), X: position('X'), C: position('C') })
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    throw damaged('the heights of its chains cannot be read', cause)
  }
}

/** @throws StoreError `STORE_SNAPSHOT` for another version of the format */
export function assertFormat(format: number): void {
  if (format === FORMAT) return
  const message = `the snapshot file has format ${format}, this version reads ${FORMAT}; use a snapshot of this version`
  throw new StoreError('STORE_SNAPSHOT', message)
}

/** Reads a digest. @throws StoreError `STORE_SNAPSHOT` */
export function readDigest(text: string): Uint8Array {
  try {
    return Hex.decode(text)
  } catch (cause) {
    throw damaged('its digest cannot be read', cause)
  }
}

/** Reads the rules of the network in a header. @throws StoreError `STORE_SNAPSHOT` */
export function readRules(networkId: number, header: NetworkRules.Rules): NetworkRules.Rules {
  try {
    return NetworkRules.format(NetworkRules.parse(networkId, header))
  } catch (cause) {
    throw damaged("the network's rules cannot be read", cause)
  }
}
