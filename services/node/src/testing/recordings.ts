import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { HttpExchange } from '@firn/node-api/testing'

/** The recorded exchanges of an API of a real node, in their order: `vectors/<name>.jsonl.gz`. */
export function recorded(name: string): readonly HttpExchange[] {
  const file = new URL(`../../vectors/${name}.jsonl.gz`, import.meta.url)
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as HttpExchange)
}
