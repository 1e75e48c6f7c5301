import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { isFirnError } from '@firn/codec'

interface Case {
  readonly name: string
  readonly kind: string
}

const text = gunzipSync(readFileSync(new URL('../../vectors/p2p.json.gz', import.meta.url))).toString('utf8')
// Some 64-bit numbers in the file are bare integers; they are quoted to keep their precision.
const all = JSON.parse(text.replace(/: ?(\d{16,})([,}])/g, ':"$1"$2')) as readonly (Case &
  Record<string, unknown>)[]

/** Returns the reference vectors of one kind. */
export function readVectors<T>(kind: string): readonly (T & Case)[] {
  return all.filter((entry) => entry.kind === kind) as readonly (T & Case)[]
}

/**
 * Returns the code of the Firn error that `run` throws, or undefined if it throws none. Other errors are
 * rethrown.
 */
export function codeOf(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    if (isFirnError(error)) return error.code
    throw error
  }
  return undefined
}
