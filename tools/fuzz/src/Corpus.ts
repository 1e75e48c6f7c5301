import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Hex } from '@firn/codec'
import { FuzzError } from './FuzzError.ts'

/** A case of a vector file: flat, as the reference wrote it. */
export type Vector = Readonly<Record<string, unknown>>

/** More seeds than this would only slow down the start. */
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
 * Returns the texts of one field of a package's vectors (`warp/vectors/warp`), of the matching kinds.
 * @throws FuzzError `FUZZ_CORPUS` when there are none, because a target without seeds tests nothing
 */
export const texts = (file: string, field: string, kind = /(?:)/): readonly string[] => {
  const found = load(file)
    .filter((vector) => kind.test(String(vector['kind'])) && typeof vector[field] === 'string')
    .map((vector) => vector[field] as string)
  if (found.length === 0) throw new FuzzError('FUZZ_CORPUS', `no ${field} of kind ${kind} in ${file}`)
  return spread([...new Set(found)])
}

/** Returns the bytes of one hex field of a package's vectors, like {@link texts}. */
export const bytes = (file: string, field: string, kind?: RegExp): readonly Uint8Array[] =>
  texts(file, field, kind).map((text) => Hex.decode(text))
