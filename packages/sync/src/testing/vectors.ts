import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A recorded block or a vector of the reference implementation: texts by name. */
export type VectorCase = Readonly<Record<string, string>>

/** Returns the cases of one kind from a vector file of `@firn/txs`. */
export function cases(file: string, kind: string): VectorCase[] {
  const url = new URL(`../../../txs/vectors/${file}.json.gz`, import.meta.url)
  const found = (JSON.parse(gunzipSync(readFileSync(url)).toString()) as VectorCase[]).filter(
    (item) => item['kind'] === kind,
  )
  assert(found.length > 0, `no cases of kind ${kind} in ${file}`)
  return found
}
