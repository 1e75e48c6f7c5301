import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A recorded request to a real node, with its response. */
export interface Exchange {
  readonly file: string
  readonly path: string
  readonly request: string
  readonly status: number
  readonly response: string
}

const VECTORS = new URL('../../vectors/', import.meta.url)

function lines<T>(name: string): readonly T[] {
  const text = gunzipSync(readFileSync(new URL(name, VECTORS))).toString('utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

/** Returns the exchanges of all files `exchanges….jsonl.gz`, in the order of the file names. */
export const exchanges = (): readonly Exchange[] =>
  readdirSync(VECTORS)
    .filter((name) => name.startsWith('exchanges'))
    .sort()
    .flatMap((name) => lines<Exchange>(name))
