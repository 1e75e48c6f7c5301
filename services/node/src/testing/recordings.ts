import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { HttpExchange } from './http.ts'

/** The recorded exchanges of an API of a real node, in their order: `vectors/<name>.jsonl.gz`. */
export function recorded(name: string): readonly HttpExchange[] {
  const file = new URL(`../../vectors/${name}.jsonl.gz`, import.meta.url)
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as HttpExchange)
}

/** The headers of a recorded answer as `send` tells those of an answer. */
export function headersOf({ responseHeaders }: HttpExchange): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of responseHeaders) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return headers
}
