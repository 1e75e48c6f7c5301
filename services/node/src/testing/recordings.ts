import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { HttpExchange } from '@firn/node-api/testing'

/** Returns the recorded exchanges with a real node's API, in order, from `vectors/<name>.jsonl.gz`. */
export function recorded(name: string): readonly HttpExchange[] {
  const file = new URL(`../../vectors/${name}.jsonl.gz`, import.meta.url)
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as HttpExchange)
}
