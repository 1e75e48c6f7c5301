import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Hex } from '@firn/codec'
import { FuzzError } from './FuzzError.ts'

/** A case of a vector file, in the flat form in which the reference implementation wrote it. */
export type Vector = Readonly<Record<string, unknown>>

/** Maximum number of seed inputs. A larger number would only slow down the start. */
const MOST_SEEDS = 96

const loaded = new Map<string, readonly Vector[]>()

const load = (file: string): readonly Vector[] => {
  const known = loaded.get(file)
  if (known) return known
  const path = new URL(`../../../packages/${file}.json.gz`, import.meta.url)
  const vectors = JSON.parse(gunzipSync(readFileSync(path)).toString()) as readonly Vector[]
  loaded.set(file, vectors)
  return vectors
}

const spread = <T>(items: readonly T[]): readonly T[] => {
  const step = Math.max(1, Math.ceil(items.length / MOST_SEEDS))
  return items.filter((_, index) => index % step === 0)
}

/**
 * Returns the values of one text field in a package's vectors (such as `warp/vectors/warp`), for the cases of
 * the matching kinds.
 * @throws FuzzError `FUZZ_CORPUS` if there are no values, because a target without seed inputs tests nothing
 */
export const texts = (file: string, field: string, kind = /(?:)/): readonly string[] => {
  const found = load(file)
    .filter((vector) => kind.test(String(vector['kind'])) && typeof vector[field] === 'string')
    .map((vector) => vector[field] as string)
  if (found.length === 0) throw new FuzzError('FUZZ_CORPUS', `no field ${field} of kind ${kind} in ${file}`)
  return spread([...new Set(found)])
}

/** Returns the bytes of one hex field in a package's vectors; see {@link texts}. */
export const bytes = (file: string, field: string, kind?: RegExp): readonly Uint8Array[] =>
  texts(file, field, kind).map((text) => Hex.decode(text))
