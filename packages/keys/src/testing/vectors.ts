import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** The cases of one kind in a golden vector file of this package. */
export function readVectors<Case>(file: string, kind: string): readonly Case[] {
  const text = gunzipSync(readFileSync(new URL(`../../vectors/${file}.json.gz`, import.meta.url))).toString(
    'utf8',
  )
  return (JSON.parse(text) as readonly (Case & { readonly kind: string })[]).filter((it) => it.kind === kind)
}

/** The code of the error that `run` throws; undefined when it throws none or another package's. */
export function codeOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    const isKeysError = error instanceof Error && error.name === 'KeysError'
    return isKeysError && 'code' in error ? error.code : error
  }
  return undefined
}
