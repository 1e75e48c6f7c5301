import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Returns the cases of one kind from a golden vector file of this package. */
export function readVectors<Case>(file: string, kind: string): readonly Case[] {
  const text = gunzipSync(readFileSync(new URL(`../../vectors/${file}.json.gz`, import.meta.url))).toString(
    'utf8',
  )
  return (JSON.parse(text) as readonly (Case & { readonly kind: string })[]).filter((it) => it.kind === kind)
}

/**
 * Returns the code of the KeysError that `run` throws, or undefined if it does not throw. Returns any other error
 * itself.
 */
export function codeOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    const isKeysError = error instanceof Error && error.name === 'KeysError'
    return isKeysError && 'code' in error ? error.code : error
  }
  return undefined
}
