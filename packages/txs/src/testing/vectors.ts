import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A test case in a golden vector file, a flat object with a name and a kind. For tests only. */
export interface VectorCase {
  readonly name: string
  readonly kind: string
  // biome-ignore lint/suspicious/noExplicitAny: JSON test vectors are used without validation
  readonly [field: string]: any
}

/** Returns the cases of one kind from `vectors/<file>.json.gz` of this package. */
export function cases(file: string, kind: string): VectorCase[] {
  const text = gunzipSync(readFileSync(new URL(`../../vectors/${file}.json.gz`, import.meta.url))).toString()
  const found = (JSON.parse(text) as VectorCase[]).filter((item) => item.kind === kind)
  assert(found.length > 0, `no cases of kind ${kind} in ${file}`)
  return found
}
