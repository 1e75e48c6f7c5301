import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Parts } from '../BlockReader.ts'

/**
 * The recorded chains: a C-chain, an L1, and a C-chain whose blocks execute asynchronously from block 79 on.
 * The third chain has 14 large blocks without traces.
 */
export const RECORDED = ['c', 'l1', 'helicon'] as const
export type RecordedName = (typeof RECORDED)[number]

/**
 * A recorded block. It lacks members that are never read: bloom and signatures of the header, and input and
 * output of calls.
 */
export type RecordedParts = Parts & { readonly block: Readonly<Record<string, unknown>> }

const LOADED = new Map<RecordedName, readonly RecordedParts[]>()

/** Returns the blocks of a recorded chain from block 0 on, as the node returned them. For tests only. */
export function recordedChain(name: RecordedName): readonly RecordedParts[] {
  const known = LOADED.get(name)
  if (known !== undefined) return known
  const file = new URL(`../../vectors/${name}.json.gz`, import.meta.url)
  const blocks = JSON.parse(gunzipSync(readFileSync(file)).toString()) as readonly RecordedParts[]
  LOADED.set(name, blocks)
  return blocks
}
